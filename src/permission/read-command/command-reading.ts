/** What reading a text gives: the commands in it, and why to ask about it. */
import type { CommandFinding } from '../../contract/access.ts';
import type { RedirectionKind } from './syntax/command-tree.ts';
import type { ReadContext } from './scope.ts';

export type ReadRedirection = {
  readonly kind: RedirectionKind;
  /** The file, descriptor or text; undefined when it is not certain. Never set for a here-document. */
  readonly target?: string;
};

export type SimpleCommand = {
  /** The normalised name; `?` when it cannot be known, empty for bare assignments and redirections. */
  readonly head: string;
  /** All words, the head first, after expansion; undefined stands for any number of words that are not known. */
  readonly words: readonly (string | undefined)[];
  /** The bytes in the text that was read. */
  readonly text: string;
  readonly hasRedirection: boolean;
  readonly redirections: readonly ReadRedirection[];
  /** It has arguments or variables that reach beyond what its name promises. */
  readonly escapes: boolean;
  /** Those arguments; an empty one for what a pattern cannot name. */
  readonly escapingWords: readonly string[];
  /** Only changes how the command inside it is run (`timeout 5 …`); that one stands in the list as well. */
  readonly isTransparent: boolean;
};

export type CommandReading = {
  /** The heads of all simple commands in source order, wrappers and what they run alike. */
  readonly heads: readonly string[];
  readonly findings: readonly CommandFinding[];
  readonly commands: readonly SimpleCommand[];
  /** Variables, functions and aliases that the text would leave changed in a shell that lives on (SECURITY A15). */
  readonly shellChanges: readonly string[];
  /** Variables that it sets for single commands. */
  readonly overrides: readonly string[];
};

/** Collects while the tree is gone through. */
export type Collector = {
  readonly context: ReadContext;
  readonly commands: SimpleCommand[];
  readonly findings: CommandFinding[];
  readonly shellChanges: Set<string>;
  readonly overrides: Set<string>;
  /** How deep the walk is, so that code inside code cannot outrun the stack. */
  depth: number;
  /** How much code inside code is still read: a short text can hand on a long one many times. */
  codeLeft: number;
};

export function createCollector(context: ReadContext, textLength: number): Collector {
  return {
    context,
    commands: [],
    findings: [],
    shellChanges: new Set(),
    overrides: new Set(),
    depth: 0,
    codeLeft: 65_536 + 4 * textLength,
  };
}

export function addUnreadable(collector: Collector, text: string): void {
  collector.findings.push({ kind: 'unreadable', text, insideSandboxOnly: false });
}
