/** The tree that the parser makes of a shell text. Only what a decision needs is kept. */

/**
 * `text`: known bytes. `variable`: a plain `$name`. `number`: something that can only be digits (`$$`, `$((…))`).
 * `process`: `<(…)` or `>(…)`, a path to a pipe. `opaque`: anything whose value only a running shell knows.
 */
export type WordPart =
  | { readonly kind: 'text'; readonly text: string; readonly isQuoted: boolean }
  | { readonly kind: 'variable'; readonly name: string; readonly isQuoted: boolean }
  | { readonly kind: 'number' | 'process'; readonly isQuoted: boolean }
  /** `script`: it is the output of these commands and nothing else. */
  | { readonly kind: 'opaque'; readonly isQuoted: boolean; readonly script?: ListNode };

export type Word = {
  readonly parts: readonly WordPart[];
  /** The commands inside it, in source order. */
  readonly scripts: readonly ListNode[];
  /** The word after quote removal when it is made of known bytes only (before braces, tilde and globs). */
  readonly literal: string | undefined;
  /** No quotes, no expansions: the only form in which a reserved word counts. */
  readonly isBare: boolean;
  /** Known bytes without unquoted braces, tilde or glob characters: what is written is what is run. */
  readonly isExact: boolean;
};

export type RedirectionKind =
  | 'read'
  | 'write'
  | 'append'
  | 'read-write'
  | 'duplicate'
  | 'here-document'
  | 'here-string';

export type RedirectionNode = {
  readonly kind: RedirectionKind;
  /** The number or name before the operator. */
  readonly descriptor: string | undefined;
  /** For a here-document its body, filled in when the body has been read. */
  target: Word;
};

export type Assignment = {
  readonly name: string;
  /** Undefined for arrays, subscripts and `+=`: the value is not followed. */
  readonly value: Word | undefined;
  readonly scripts: readonly ListNode[];
};

export type SimpleNode = {
  readonly kind: 'simple';
  /** The bytes of this command in the text that was handed in. */
  readonly text: string;
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly RedirectionNode[];
};

export type CompoundForm = 'group' | 'subshell' | 'if' | 'loop' | 'case' | 'function' | 'coprocess' | 'test';

export type CompoundNode = {
  readonly kind: 'compound';
  readonly form: CompoundForm;
  readonly text: string;
  /** Words outside the bodies: the list of a `for`, the subject and patterns of a `case`, the operands of `[[`. */
  readonly words: readonly Word[];
  /** For `if`: condition, body, condition, body …, and perhaps the `else` body. */
  readonly bodies: readonly ListNode[];
  readonly redirections: readonly RedirectionNode[];
  /** Something inside may change the working directory. */
  readonly mayMove: boolean;
};

export type PipelineNode = {
  readonly kind: 'pipeline';
  readonly isNegated: boolean;
  readonly nodes: readonly CommandNode[];
};

export type CommandNode = SimpleNode | CompoundNode | PipelineNode;

export type ListOperator = ';' | '&' | '&&' | '||';

export type ListNode = {
  readonly kind: 'list';
  /** Each command with the operator that follows it. */
  readonly items: readonly { readonly node: CommandNode; readonly operator: ListOperator }[];
  /** The body of `>(…)`: whatever reads standard input in it reads what others wrote. */
  readonly isFed: boolean;
};
