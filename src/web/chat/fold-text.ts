/** The fold of what a model streams: its answer and its notes, until they end or are void. */
import type { Part } from './screen.ts';

export function addText(parts: readonly Part[], text: string, id: number, atMs: number): readonly Part[] {
  const ended = endThoughts(parts, atMs);
  const last = ended.at(-1);
  if (last?.kind === 'text' && last.isOpen) return ended.with(-1, { ...last, text: last.text + text });
  // A model may begin with line ends; an empty paragraph would jump when the text comes.
  const begun = text.trimStart();
  return begun === '' ? ended : [...ended, { kind: 'text', id, text: begun, isOpen: true }];
}

export function addThought(parts: readonly Part[], text: string, id: number, atMs: number): readonly Part[] {
  const last = parts.at(-1);
  if (last?.kind === 'thought' && last.durationMs === undefined) {
    return parts.with(-1, { ...last, text: last.text + text });
  }
  return text.trim() === '' ? parts : [...parts, { kind: 'thought', id, text, startedAtMs: atMs }];
}

export function endOpenParts(parts: readonly Part[], atMs: number): readonly Part[] {
  const ended = endThoughts(parts, atMs);
  if (!ended.some((part) => part.kind === 'text' && part.isOpen)) return ended;
  return ended.map((part) => (part.kind === 'text' && part.isOpen ? { ...part, isOpen: false } : part));
}

/** What was streamed of the unfinished answer does not count: another attempt follows. */
export function voidAnswer(parts: readonly Part[]): readonly Part[] {
  return parts.filter(
    (part) => !(part.kind === 'text' && part.isOpen) && !(part.kind === 'thought' && part.durationMs === undefined),
  );
}

function endThoughts(parts: readonly Part[], atMs: number): readonly Part[] {
  if (!parts.some((part) => part.kind === 'thought' && part.durationMs === undefined)) return parts;
  return parts.map((part) =>
    part.kind === 'thought' && part.durationMs === undefined
      ? { ...part, durationMs: Math.max(0, atMs - part.startedAtMs) }
      : part,
  );
}
