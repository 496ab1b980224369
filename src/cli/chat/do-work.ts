/** Turns and typed calls: from a submission to the program and back to the screen. */
import type { Submission } from './submission.ts';
import type { ChatParts } from './chat-parts.ts';
import { addItems } from './fold-screen.ts';
import { problemLines, say } from './notices.ts';
import { readTypedInput } from './typed-call.ts';
import { connectLines } from './welcome.ts';
import { line, span } from '../show/span.ts';

export function sendMessage(parts: ChatParts, text: string): void {
  const { handrail, store, runner } = parts;
  runner.run('Thinking', async (signal, onEvent) => {
    if (!(await refreshModel(parts))) {
      store.change((state) => ({ ...state, screen: addItems(state.screen, { kind: 'user', text }) }));
      say(store, [
        line('No model is connected yet, so nobody read this.', 'ask'),
        [],
        ...connectLines(await handrail.modelChoices()),
      ]);
      return;
    }
    await handrail.ask({ text, ...attendance(parts), signal, onEvent });
  });
}

export function goOnWithOpenTurn(parts: ChatParts): void {
  parts.runner.run('Going on', async (signal, onEvent) => {
    await parts.handrail.resume({ ...attendance(parts), signal, onEvent });
  });
}

/** `!command`. */
export function runShell(parts: ChatParts, command: string): void {
  if (command === '') return say(parts.store, problemLines('Type a command after "!", for example !ls -la'));
  runCall(parts, 'execute_shell_command', 'Running', { command });
}

/** `/tool …`. What the arguments cannot be is said at once, with the tool's own arguments. */
export function runTypedTool(parts: ChatParts, call: Extract<Submission, { kind: 'tool' }>, text: string): void {
  const read = readTypedInput(call.rest, call.tool.inputSchema);
  if (read.ok) return runCall(parts, call.calledAs, call.tool.title, read.input);
  parts.store.change((state) => ({ ...state, screen: addItems(state.screen, { kind: 'user', text }) }));
  say(parts.store, [
    ...problemLines(`/${call.calledAs}: ${read.problem}`),
    [span('  '), span(`/tools ${call.tool.name}`, 'accent'), span(' shows what it takes.', 'dim')],
  ]);
}

function runCall(parts: ChatParts, tool: string, label: string, input: Readonly<Record<string, unknown>>): void {
  parts.runner.run(label, async (signal, onEvent) => {
    const { model: _, ...attended } = attendance(parts);
    await parts.handrail.runTool({ tool, input, origin: 'user', ...attended, signal, onEvent });
  });
}

/** Asks again which model there is: a key or a local server may have come meanwhile. */
export async function refreshModel(parts: ChatParts): Promise<boolean> {
  const info = await parts.handrail.model(parts.store.get().chosenModel);
  const model = info === undefined ? undefined : { id: info.id, contextWindow: info.contextWindow };
  parts.store.change((state) => ({ ...state, model }));
  return model !== undefined;
}

function attendance(parts: ChatParts) {
  const { conversationId, chosenModel } = parts.store.get();
  return {
    conversationId,
    approve: parts.approve,
    asker: parts.questions.asker,
    ...(chosenModel === undefined ? {} : { model: chosenModel }),
  };
}
