/**
 * What a conversation did, as the panel "This run" lists it: a fold over the same turns that the chat draws. Pure.
 * It goes by the kind of each result's view and by what was asked, never by a tool's name.
 */
import type { View } from '../../contract/output.ts';
import type { Answer } from '../../contract/permission.ts';
import { isOpen } from '../chat/fold-step.ts';
import type { Step, Turn } from '../chat/screen.ts';

type Diff = Extract<View, { kind: 'diff' }>;

export type ChangedFile = {
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  /** One per change, in order. */
  readonly diffs: readonly Diff[];
};

export type RanCommand = { readonly callId: string; readonly command: string; readonly exitCode: number | null };

/** `asks`: it waits for an answer. */
export type ContactedHost = { readonly host: string; readonly state: 'reached' | 'asks' | 'denied' };

export type AnsweredQuestion = { readonly step: Step; readonly answer: Answer };

export type RunSummary = {
  readonly running: readonly Step[];
  /** The newest list that a tool gave. Empty: none did. */
  readonly plan: Extract<View, { kind: 'checklist' }>['items'];
  readonly files: readonly ChangedFile[];
  readonly commands: readonly RanCommand[];
  readonly hosts: readonly ContactedHost[];
  readonly answers: readonly AnsweredQuestion[];
  readonly calls: number;
  readonly tokens: number;
  /** Dollars; 0: no price is known. */
  readonly costUsd: number;
};

export function foldRun(turns: readonly Turn[]): RunSummary {
  const steps = turns.flatMap(stepsOf);
  const lists = steps.flatMap(({ outcome }) => (outcome?.view?.kind === 'checklist' ? [outcome.view.items] : []));
  return {
    // A call that its turn left open does not run.
    running: turns.flatMap((turn) => (turn.end === undefined ? stepsOf(turn).filter(isOpen) : [])),
    plan: lists.at(-1) ?? [],
    files: changedFiles(steps),
    commands: steps.flatMap(commandOf),
    hosts: contactedHosts(steps),
    answers: steps.flatMap((step) => (step.answer === undefined ? [] : [{ step, answer: step.answer }])),
    calls: steps.length,
    tokens: turns.reduce((sum, { end }) => sum + (end?.tokens ?? 0), 0),
    costUsd: turns.reduce((sum, { end }) => sum + (end?.costUsd ?? 0), 0),
  };
}

const stepsOf = (turn: Turn): readonly Step[] =>
  turn.parts.flatMap((part) => (part.kind === 'steps' ? part.steps : []));

function changedFiles(steps: readonly Step[]): readonly ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const { outcome } of steps) {
    const view = outcome?.view;
    if (outcome?.ok !== true || view?.kind !== 'diff' || view.added + view.removed === 0) continue;
    const known = files.get(view.path) ?? { path: view.path, added: 0, removed: 0, diffs: [] };
    files.set(view.path, {
      path: view.path,
      added: known.added + view.added,
      removed: known.removed + view.removed,
      diffs: [...known.diffs, view],
    });
  }
  return [...files.values()];
}

function commandOf({ callId, outcome }: Step): readonly RanCommand[] {
  const view = outcome?.view;
  return view?.kind === 'terminal' ? [{ callId, command: view.command, exitCode: view.exitCode }] : [];
}

/** Each once, as it stands last. */
function contactedHosts(steps: readonly Step[]): readonly ContactedHost[] {
  const hosts = new Map<string, ContactedHost>();
  for (const step of steps) {
    const asked = step.question?.accesses.flatMap((access) => (access.kind === 'url' ? [access.host] : [])) ?? [];
    for (const host of asked) hosts.set(host, { host, state: stateOf(step) });
    const named = asked.length > 0 || step.outcome?.ok !== true ? undefined : hostOfInput(step.input);
    if (named !== undefined) hosts.set(named, { host: named, state: 'reached' });
  }
  return [...hosts.values()];
}

function stateOf({ status, answer, decision }: Step): ContactedHost['state'] {
  if (status === 'asking') return 'asks';
  return answer?.verdict === 'allow' || (answer === undefined && decision?.verdict === 'allow') ? 'reached' : 'denied';
}

/** Of a call whose arguments name an address. */
function hostOfInput(input: string): string | undefined {
  if (!input.includes('"url"')) return undefined;
  try {
    const { url } = JSON.parse(input) as { readonly url?: unknown };
    const parsed = typeof url === 'string' ? URL.parse(url) : null;
    return parsed === null || parsed.host === '' ? undefined : parsed.host;
  } catch {
    // Arguments that are no JSON name nothing.
    return undefined;
  }
}
