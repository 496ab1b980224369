/** The life of a conversation's shell as a fold over its events: commands, what they printed by stream, how they ended. Pure. */
import type { JournalEvent } from '../../../contract/event.ts';

export type Piece = { readonly stream: 'stdout' | 'stderr'; readonly text: string };

export type Command = {
  readonly callId: string;
  readonly command: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly isTyped: boolean;
  readonly pieces: readonly Piece[];
  readonly state: 'running' | 'ended' | 'refused';
  /** Of one that ended by itself. */
  readonly exitCode: number | null;
  /** Why it did not run, or what became of it. */
  readonly note: string;
};

export type Transcript = readonly Command[];

/** Of the output, in all: the rest stands in the chat, whole. */
const keptCharacters = 10_000;
const keptCommands = 200;

/** `isShell`: whether a tool of this name runs commands. */
export function foldTranscript(
  transcript: Transcript,
  events: readonly JournalEvent[],
  isShell: (tool: string) => boolean,
): Transcript {
  return trim(events.reduce((before, event) => foldEvent(before, event, isShell), transcript));
}

function foldEvent(transcript: Transcript, event: JournalEvent, isShell: (tool: string) => boolean): Transcript {
  switch (event.type) {
    case 'tool-start': {
      const command = isShell(event.tool) ? commandOf(event.input) : undefined;
      if (command === undefined) return transcript;
      const { callId, at, origin } = event;
      const next: Command = {
        ...{ callId, command, at, isTyped: origin === 'user' },
        ...{ pieces: [], state: 'running', exitCode: null, note: '' },
      };
      // A resumed turn runs it again.
      return [...transcript.filter((each) => each.callId !== callId), next];
    }
    case 'tool-progress': {
      const piece = { stream: event.stream ?? 'stdout', text: event.text };
      return change(transcript, event.callId, (each) => ({ ...each, pieces: joined(each.pieces, piece) }));
    }
    case 'tool-end':
      return change(transcript, event.callId, (each) => ended(each, event));
    case 'turn-end':
      return transcript.map((each) => (each.state === 'running' && !each.isTyped ? { ...each, state: 'ended' } : each));
    default:
      return transcript;
  }
}

function ended(command: Command, { outcome }: Extract<JournalEvent, { type: 'tool-end' }>): Command {
  const { view } = outcome;
  if (view?.kind !== 'terminal') {
    const isRefused = outcome.error?.code === 'denied';
    const note = outcome.error?.message ?? outcome.text;
    return { ...command, state: isRefused ? 'refused' : 'ended', note };
  }
  // What came while it ran stands in the order in which it came; what did not is put there whole.
  const pieces =
    command.pieces.length > 0
      ? command.pieces
      : [
          { stream: 'stdout', text: view.stdout } as const,
          { stream: 'stderr', text: view.stderr ?? '' } as const,
        ].filter(({ text }) => text !== '');
  const note = outcome.error === undefined ? '' : outcome.error.message;
  return { ...command, pieces, state: 'ended', exitCode: view.exitCode ?? null, note };
}

const change = (transcript: Transcript, callId: string, how: (command: Command) => Command): Transcript =>
  transcript.some((each) => each.callId === callId)
    ? transcript.map((each) => (each.callId === callId ? how(each) : each))
    : transcript;

function joined(pieces: readonly Piece[], piece: Piece): readonly Piece[] {
  const last = pieces.at(-1);
  if (last?.stream !== piece.stream) return [...pieces, piece];
  return pieces.with(-1, { ...last, text: (last.text + piece.text).slice(-keptCharacters) });
}

function commandOf(input: string): string | undefined {
  try {
    const { command } = JSON.parse(input) as { readonly command?: unknown };
    return typeof command === 'string' ? command : undefined;
  } catch {
    // Not as it runs: it will be refused.
    return undefined;
  }
}

/** From the end: the newest output is kept. */
function trim(transcript: Transcript): Transcript {
  let left = keptCharacters;
  const kept: Command[] = [];
  for (const command of transcript.slice(-keptCommands).toReversed()) {
    if (left <= 0) break;
    const pieces: Piece[] = [];
    for (const piece of command.pieces.toReversed()) {
      if (left <= 0) break;
      pieces.unshift(piece.text.length <= left ? piece : { ...piece, text: piece.text.slice(-left) });
      left -= piece.text.length;
    }
    left -= command.command.length;
    kept.unshift(
      pieces.length === command.pieces.length && pieces.every((each, at) => each === command.pieces[at])
        ? command
        : { ...command, pieces },
    );
  }
  return kept;
}

/** Colours and cursor movements (ECMA-48), for a place that has no screen. */
export function plainText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what is taken out
  return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g, '');
}
