/** The signal that a text cannot be read with certainty, and the bounds of what is tried. */

/** Longer texts are not read at all: nobody reviews a megabyte of shell. */
export const maxSourceLength = 1_048_576;

/** How deep substitutions, groups and quotes may nest; far above real scripts, far below the engine's stack. */
export const maxNesting = 200;

/** How often code may be handed on (`eval`, `sh -c`, `env`, `sudo` …) before we stop following it. */
export const maxHandovers = 24;

/** Thrown by the reader, caught by `readCommand`; nobody outside this folder sees it. */
export class UnreadableText extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableText';
  }
}
