/** One row of the table of routes: what it takes, who may use it, what it does. */
import type { z } from 'zod';

export type RouteRequest<Input> = {
  /** The parts of the path that vary. */
  readonly params: Readonly<Record<string, string>>;
  readonly input: Input;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** As they come, where the route takes bytes. */
  readonly body?: AsyncIterable<Uint8Array>;
};

export type Route<Schema extends z.ZodType = z.ZodType> = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `:name` is a part that varies. */
  readonly path: string;
  /** `public`: without a session, what signs in among them. */
  readonly policy: 'public' | 'session';
  readonly summary: string;
  /** The query of a GET and of what takes bytes, the JSON body of everything else. */
  readonly input: Schema;
  /** The body is a file instead of JSON. Omitted: false. */
  readonly takesBytes?: boolean;
  /** Of a body. Omitted: 64 kB. */
  readonly maxBytes?: number;
  /** Of an answer that went well. Omitted: 200. */
  readonly status?: 201 | 202;
  /** Gives what is sent as JSON, or a whole answer. */
  handle(request: RouteRequest<z.output<Schema>>): Promise<unknown>;
};

/** Checks the types of one row; adds nothing at run time. */
export function defineRoute<Schema extends z.ZodType>(route: Route<Schema>): Route {
  return route as unknown as Route;
}
