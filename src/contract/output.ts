/** What a tool gives back: text for the model, data for programs, a view for people. */
import type { ToolFailureCode } from './failure.ts';
import type { ImagePart } from './message.ts';

export type DiffLine = {
  readonly kind: 'context' | 'added' | 'removed' | 'hunk';
  /** 1-based; undefined for an added line and for a hunk header. */
  readonly oldLine?: number;
  /** 1-based; undefined for a removed line and for a hunk header. */
  readonly newLine?: number;
  readonly content: string;
};

/** How people see a result. A face switches on `kind`, never on a tool's name. */
export type View =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'diff';
      readonly path: string;
      readonly lines: readonly DiffLine[];
      readonly added: number;
      readonly removed: number;
    }
  | { readonly kind: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | {
      readonly kind: 'files';
      readonly files: readonly { readonly path: string; readonly line?: number; readonly snippet?: string }[];
    }
  | { readonly kind: 'image'; readonly mediaType: string; readonly path: string; readonly alt: string }
  | {
      readonly kind: 'terminal';
      readonly command: string;
      readonly stdout: string;
      readonly stderr: string;
      readonly exitCode: number | null;
    }
  | { readonly kind: 'checklist'; readonly items: readonly { readonly text: string; readonly status: string }[] }
  | { readonly kind: 'link'; readonly url: string; readonly title: string }
  | { readonly kind: 'form'; readonly schema: unknown }
  | { readonly kind: 'model3d'; readonly path: string };

export type ToolOutput = {
  /** What the model reads. */
  readonly text: string;
  readonly view?: View;
  /** The JSON shape that the tool's contract documents. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** True when the tool itself left something out (a hit limit, a stream cap). */
  readonly truncated?: boolean;
  /** The whole of what was left out, when the tool kept it. */
  readonly artifact?: ArtifactReference;
  /** Names of tools that belong into the conversation's requests from now on. */
  readonly offers?: readonly string[];
  /** For the model's context alone: faces show that there is one. */
  readonly images?: readonly ImagePart[];
  /** The call failed although it has something to show, for example what a command printed before its timeout. `text` is the message. */
  readonly failure?: ToolFailureCode;
  /** Where its text came from when a stranger may have written it and its accesses do not say so: a mail. */
  readonly untrusted?: string;
};

/** A result that was too long, kept whole (or its first and last 5 MB) on disk. */
export type ArtifactReference = { readonly id: string; readonly path: string; readonly bytes: number };

/** One call's end, whatever happened. `internal` is a bug in the tool; all other codes are ToolFailure's. */
export type CallOutcome = {
  readonly ok: boolean;
  readonly text: string;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly view?: View;
  readonly error?: { readonly code: string; readonly message: string };
  readonly truncated?: boolean;
  readonly artifact?: ArtifactReference;
  /** Names of tools that belong into the conversation's requests from now on. */
  readonly offers?: readonly string[];
  /** For the model's context alone: faces show that there is one. */
  readonly images?: readonly ImagePart[];
  /** Where its text came from when a stranger may have written it: a page, a file outside the workspace, a mail, an MCP server. */
  readonly untrusted?: string;
};
