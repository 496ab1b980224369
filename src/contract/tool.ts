/** A tool: one file, one default export, found by its place on disk. */
import type { z } from 'zod';
import type { Access } from './access.ts';
import type { JsonSchema } from './model.ts';
import type { ToolOutput, View } from './output.ts';
import type { ConversationInfo, ServiceName, Services } from './services.ts';

/** What a resume after a crash may do with a call in flight: run it again (`read`, `idempotent`) or report it as unknown (`once`). */
export type Effect = 'read' | 'idempotent' | 'once';

export type ToolContext = {
  /** Fires on Stop and on the tool's timeout; `signal.reason` is a ToolFailure that says which. */
  readonly signal: AbortSignal;
  readonly conversation: ConversationInfo;
  /** The name or alias the caller used. */
  readonly calledAs: string;
  /** Progress for people; costs the model nothing. */
  emit(progress: { readonly text: string; readonly stream?: 'stdout' | 'stderr' }): void;
};

export type ToolDefinition<Input extends z.ZodType, Needs extends ServiceName> = {
  /** Readable name for people, for example "Read file". */
  readonly title: string;
  /** For the model: what it does, when to use it, when not. `{environment}` becomes the shell's system, shell and package manager. */
  readonly description: string;
  /** Other seeds' names for the same tool; a call by alias works. */
  readonly aliases?: readonly string[];
  /** A zod object; unknown keys are rejected. */
  readonly input: Input;
  /** The shape of `data`, for programs. Omitted: no promise. */
  readonly output?: z.ZodType;
  /** The services handed to run, nothing more. */
  readonly needs: readonly Needs[];
  /** What this very call touches. Total and pure. */
  access(input: z.output<Input>): readonly Access[];
  /** Read-only; shown before asking, and part of what is approved. */
  preview?(input: z.output<Input>, services: Pick<Services, Needs>): Promise<View | undefined>;
  /** True when this call watches a job: the loop does not count it as a repeat. */
  polls?(input: z.output<Input>): boolean;
  readonly effect: Effect;
  /** One line for the chip and for the permission question. */
  summary(input: z.output<Input>): string;
  /**
   * Omitted: 30,000. Counts from the answer to a question, and stops while one is open. A function of the input where the
   * call's contract has a timeout of its own.
   */
  readonly timeoutMs?: number | ((input: z.output<Input>) => number);
  /** Longest text for the model, in characters. Omitted: 20,000. */
  readonly maxChars?: number;
  /** Omitted: true. */
  readonly enabledByDefault?: boolean;
  /** Offered to small local models. Omitted: false. */
  readonly smallModels?: boolean;
  /** In every request to a model. Omitted: false, models find it by find_tools. */
  readonly isCore?: boolean;
  /** The tool it belongs to: on exactly when that one is, unless the settings switch this one off. Omitted: none. */
  readonly follows?: string;
  /** False: no setting of its own turns it on or off, only that of its family. Omitted: true. */
  readonly hasSwitch?: boolean;
  /** Where it makes sense; omitted: everywhere. */
  readonly platforms?: readonly NodeJS.Platform[];
  run(input: z.output<Input>, services: Pick<Services, Needs>, context: ToolContext): Promise<ToolOutput>;
};

/** A definition whose type parameters no longer matter: what the executor handles. */
export type Tool = ToolDefinition<z.ZodType, ServiceName>;

/** Checks the definition's types; adds nothing at run time. */
export function defineTool<Input extends z.ZodType, const Needs extends ServiceName>(
  definition: ToolDefinition<Input, Needs>,
): ToolDefinition<Input, Needs> {
  return definition;
}

/** What is known of a tool without loading it: enough to advertise, search, gate and decide about it. */
export type ToolDescriptor = {
  /** The file's name in snake_case. */
  readonly name: string;
  /** The folder: its settings group. */
  readonly group: string;
  readonly title: string;
  readonly description: string;
  readonly aliases: readonly string[];
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** The services it works with. Omitted: none. */
  readonly needs?: readonly ServiceName[];
  readonly effect: Effect;
  /** Longest run in milliseconds, when no argument changes it. */
  readonly timeoutMs: number;
  readonly maxChars: number;
  readonly enabledByDefault: boolean;
  readonly smallModels: boolean;
  /** In every request; otherwise found by find_tools. Omitted: false. */
  readonly isCore?: boolean;
  /** On exactly when this one is. Omitted: on by itself. */
  readonly follows?: string;
  /** False: it has no switch of its own. Omitted: it has. */
  readonly hasSwitch?: boolean;
  readonly platforms: readonly string[];
};
