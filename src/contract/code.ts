/** Programs in a language of its own, each run in a process of its own. */
import type { ShellResult } from './services.ts';

export type CodeLanguage = 'python' | 'javascript' | 'typescript';

export type CodeRequest = {
  readonly code: string;
  readonly language: CodeLanguage;
  /** Relative to the workspace; omitted: the workspace. */
  readonly workingDir?: string;
  /** Undefined: the setting's. Larger than its maximum: clamped, and `notes` says so. */
  readonly timeoutMs?: number;
};

/** Nothing of one run is there in the next. Rejects with ToolFailure: unavailable (no rung, no interpreter), denied, cancelled. */
export type Code = {
  run(
    request: CodeRequest,
    onOutput?: (chunk: { readonly stream: 'stdout' | 'stderr'; readonly text: string }) => void,
  ): Promise<ShellResult>;
};
