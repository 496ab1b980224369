/** Turns our transcript into the SDK's prompt, so that no provider refuses it and a growing history keeps its beginning unchanged. */
import type { LanguageModelV4Message, LanguageModelV4Prompt, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { CallResult, ImagePart, Message, ProviderData, UserMessage } from '../contract/message.ts';
import { toWireInput } from './call-input.ts';
import { createCallPairing } from './pair-calls.ts';
import type { PairedCall, Step } from './pair-calls.ts';
import { toWireName } from './wire-names.ts';

type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content'];
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];
type ToolContent = Extract<LanguageModelV4Message, { role: 'tool' }>['content'];

export type PromptRules = {
  /** `service/model`: reasoning and signatures of any other model are left out. */
  readonly model: string;
  readonly acceptsImages: boolean;
  /** `text`: arguments go as JSON text, byte for byte where possible. */
  readonly arguments: 'text' | 'object';
  /** Where a result's images go: with the result, or in a user message behind all results. */
  readonly resultImages: 'native' | 'moved';
  /** Whether the dialect can mark a result as an error. */
  readonly marksErrors: boolean;
  /** Which messages take their reasoning along: all, or only those that call tools. */
  readonly reasoning: 'always' | 'with-calls';
};

export type PromptConverter = (system: string, messages: readonly Message[]) => LanguageModelV4Prompt;

const noResult = 'No result was recorded for this call; it may or may not have run. Check before repeating it.';

/** Messages are immutable and histories grow at the end: what was converted once is kept by the message's identity. */
export function createPromptConverter(rules: PromptRules): PromptConverter {
  const users = new WeakMap<object, LanguageModelV4Message>();
  const assistants = new WeakMap<
    object,
    { readonly calls: readonly Pick<PairedCall, 'wireId' | 'result'>[]; readonly converted: LanguageModelV4Message[] }
  >();
  const pairCalls = createCallPairing();
  let settled = createSettled([]);
  let system: Extract<LanguageModelV4Message, { role: 'system' }> = { role: 'system', content: '' };

  function convert(step: Step): readonly LanguageModelV4Message[] {
    if (step.kind === 'user') {
      const known = users.get(step.message) ?? toUser(step.message, rules);
      users.set(step.message, known);
      return [known];
    }
    const known = assistants.get(step.message);
    if (known && isSame(known.calls, step.calls)) return known.converted;
    const converted = toAssistant(step, rules);
    // As they are now: a result may still come.
    assistants.set(step.message, { calls: step.calls.map(({ wireId, result }) => ({ wireId, result })), converted });
    return converted;
  }

  return (systemText, messages) => {
    const prompt: LanguageModelV4Prompt = [];
    const content = systemText.toWellFormed();
    if (content !== system.content) system = { role: 'system', content };
    if (content.trim() !== '') prompt.push(system);
    const steps = pairCalls(messages);
    if (settled.of !== steps) settled = createSettled(steps);
    settled.goOn(convert);
    const said = [...settled.prompt, ...steps.slice(settled.count()).flatMap(convert)];
    if (said[0]?.role === 'assistant') prompt.push(cutBeginning);
    prompt.push(...said);
    // A last word of the model's own would be taken for one to go on with, and newer models refuse that.
    if (said.at(-1)?.role === 'assistant') prompt.push(note('Continue.'));
    return prompt;
  };
}

/** The first steps of a history, whose results are all there: nothing about them can change any more. */
function createSettled(steps: readonly Step[]) {
  const prompt: LanguageModelV4Message[] = [];
  let count = 0;
  const isSettled = (step: Step): boolean => step.kind === 'user' || step.calls.every(({ result }) => result);
  return {
    of: steps,
    prompt,
    count: () => count,
    goOn(convert: (step: Step) => readonly LanguageModelV4Message[]) {
      for (let next = steps[count]; next !== undefined && isSettled(next); next = steps[count]) {
        prompt.push(...convert(next));
        count += 1;
      }
    },
  };
}

/** Results may be shortened between two requests while the message that called stays the same. */
function isSame(before: readonly Pick<PairedCall, 'wireId' | 'result'>[], now: readonly PairedCall[]): boolean {
  return before.every((each, at) => each.wireId === now[at]?.wireId && each.result === now[at]?.result);
}

function note(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

const cutBeginning = note('(The beginning is left out.)');

function toUser(message: UserMessage, rules: PromptRules): LanguageModelV4Message {
  const content: UserContent = [];
  for (const part of message.parts) {
    if (part.type === 'image') content.push(toImage(part, rules));
    // Anthropic refuses a text block without a visible character.
    else if (part.text.trim() !== '') content.push({ type: 'text', text: part.text.toWellFormed() });
  }
  return content.length > 0 ? { role: 'user', content } : note('(empty message)');
}

function toImage(part: ImagePart, rules: PromptRules): UserContent[number] {
  if (!rules.acceptsImages) return { type: 'text', text: '[An image was left out: this model cannot see images.]' };
  const mediaType = part.mediaType === 'image/jpg' ? 'image/jpeg' : part.mediaType;
  return { type: 'file', mediaType, data: { type: 'data', data: part.data } };
}

/** The message, its results, and the user message that carries their images; nothing when it says nothing. */
function toAssistant(step: Extract<Step, { kind: 'assistant' }>, rules: PromptRules): LanguageModelV4Message[] {
  const content: AssistantContent = [];
  const calls = step.calls.values();
  let saysSomething = false;
  for (const part of step.message.parts) {
    const own = ownOptions(part.providerData, rules);
    if (part.type === 'reasoning') {
      const isWanted = rules.reasoning === 'always' || step.calls.length > 0;
      if (own && isWanted) content.push({ type: 'reasoning', text: part.text, ...own });
    } else if (part.type === 'text') {
      if (part.text.trim() === '' && !own) continue;
      saysSomething ||= part.text.trim() !== '';
      content.push({ type: 'text', text: part.text.toWellFormed(), ...own });
    } else {
      const paired = calls.next().value;
      if (!paired) continue;
      saysSomething = true;
      const input = toWireInput(part.input);
      const sent = rules.arguments === 'text' ? (input.text ?? input.object) : input.object;
      content.push({
        type: 'tool-call',
        toolCallId: paired.wireId,
        toolName: toWireName(part.tool),
        input: sent,
        ...own,
      });
    }
  }
  // Reasoning alone is refused: it has to belong to something that was said.
  if (!saysSomething) return [];
  return [{ role: 'assistant', content }, ...toResults(step.calls, rules)];
}

function ownOptions(
  data: ProviderData | undefined,
  rules: PromptRules,
): { readonly providerOptions: SharedV4ProviderOptions } | undefined {
  if (data?.model !== rules.model) return undefined;
  return { providerOptions: data.data as SharedV4ProviderOptions };
}

function toResults(calls: readonly PairedCall[], rules: PromptRules): LanguageModelV4Message[] {
  if (calls.length === 0) return [];
  const content: ToolContent = [];
  const moved: UserContent = [];
  for (const { call, wireId, result } of calls) {
    const images = result?.images ?? [];
    const isMoved = images.length > 0 && (rules.resultImages === 'moved' || !rules.acceptsImages || result?.isError);
    if (isMoved) {
      moved.push({ type: 'text', text: `Images from the result of ${toWireName(call.tool)}:` });
      moved.push(...images.map((image) => toImage(image, rules)));
    }
    const output = toOutput(result, isMoved ? [] : images, rules);
    content.push({ type: 'tool-result', toolCallId: wireId, toolName: toWireName(call.tool), output });
  }
  const results: LanguageModelV4Message = { role: 'tool', content };
  return moved.length === 0 ? [results] : [results, { role: 'user', content: moved }];
}

function toOutput(
  result: CallResult | undefined,
  images: readonly ImagePart[],
  rules: PromptRules,
): Extract<ToolContent[number], { type: 'tool-result' }>['output'] {
  const text = (result?.text ?? noResult).toWellFormed();
  if (images.length > 0) {
    const files = images.map((image) => toImage(image, rules));
    const said = text.trim() === '' ? [] : [{ type: 'text' as const, text }];
    return { type: 'content', value: [...said, ...files] };
  }
  const isError = result?.isError ?? true;
  return { type: isError && rules.marksErrors ? 'error-text' : 'text', value: text };
}
