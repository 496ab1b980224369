/** What is about to be sent: read, with what was attached to it. */
import type { Typed } from './read-typed.ts';
import type { TurnImage } from './screen.ts';

export type Outgoing = {
  readonly typed: Exclude<Typed, { kind: 'problem' }>;
  readonly images: readonly TurnImage[];
  /** To be put into the workspace and named in the message. */
  readonly files: readonly OutgoingFile[];
  /** Undefined: the one in use. */
  readonly model: string | undefined;
};

export type OutgoingFile = { readonly file: File; readonly onProgress: (part: number) => void };
