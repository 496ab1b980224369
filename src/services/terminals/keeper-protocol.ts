/** What is said between a program and the keeper of its terminals: one JSON object per line. */
import { ToolFailure, type ToolFailureCode, toolFailureCodes } from '../../contract/failure.ts';
import type { CompanionSources } from '../companion-process/companion-place.ts';
import type { TerminalKey } from './create-keeper.ts';

/** In the socket's name: terminals may outlive an update of the program, and the two sides must understand each other. */
export const protocolVersion = 1;

export type OpenRequest = TerminalKey & {
  readonly workspace: string;
  /** Omitted: bash. */
  readonly command: string | undefined;
  readonly workingDir: string | undefined;
  readonly columns: number;
  readonly rows: number;
  /** How long to wait for the screen to come to rest. */
  readonly waitMs: number;
  /** Somebody is there who answers `HostQuestion`s until the request is. Omitted: nobody. */
  readonly canAsk?: boolean;
  readonly sources: CompanionSources;
};

export type KeeperRequest =
  | ({ readonly op: 'open' } & Omit<OpenRequest, 'command' | 'workingDir'> &
      Partial<Pick<OpenRequest, 'command' | 'workingDir'>>)
  | ({
      readonly op: 'send';
      readonly input: string;
      readonly waitMs: number;
      readonly count?: number;
      readonly canAsk?: boolean;
    } & TerminalKey)
  | ({ readonly op: 'read'; readonly historyLines: number } & TerminalKey)
  | ({ readonly op: 'resize'; readonly columns: number; readonly rows: number } & TerminalKey)
  | ({ readonly op: 'typed-state' } & TerminalKey)
  | ({ readonly op: 'close' } & TerminalKey)
  /** `conversation` omitted: of all. */
  | { readonly op: 'list' | 'close-all'; readonly conversation?: string }
  /** Then `ViewMessage`s go both ways until one side closes the connection. */
  | ({ readonly op: 'attach' } & TerminalKey);

/** Bytes as base64. */
export type ViewMessage =
  | { readonly data: string }
  | { readonly columns: number; readonly rows: number }
  | { readonly exitCode: number | null };

/** By the keeper, before it answers `open` or `send`: may a program reach this host, or, with `holds`, may it still? */
export type HostQuestion = {
  readonly question: number;
  readonly url: string;
  readonly method: string;
  readonly holds?: boolean;
};
export type HostAnswer = { readonly answer: number; readonly isAllowed: boolean; readonly reason: string };

export type KeeperAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: ToolFailureCode; readonly message: string };

/** Said first, by the keeper: whoever has heard it will be answered. */
export const greeting = 'handrail-terminals';

/** Undefined for a line that is the answer. */
export function readQuestion(line: string): HostQuestion | undefined {
  const said = JSON.parse(line) as Partial<HostQuestion>;
  return typeof said.question === 'number' && typeof said.url === 'string'
    ? { question: said.question, url: said.url, method: said.method ?? 'CONNECT', holds: said.holds === true }
    : undefined;
}

/** Throws the failure that the answer holds. */
export function valueOf(line: string): unknown {
  const answer = JSON.parse(line) as Partial<Record<'ok' | 'code' | 'message' | 'value', unknown>>;
  if (answer.ok === true) return answer.value;
  const code = toolFailureCodes.find((each) => each === answer.code) ?? 'failed';
  throw new ToolFailure(
    code,
    typeof answer.message === 'string' ? answer.message : 'The keeper of the terminals failed.',
  );
}
