/** How long a command may run: the caller's wish within what the settings allow. */
import { ToolFailure } from '../../contract/failure.ts';
import type { ShellRequest } from '../../contract/services.ts';

export type TimeLimit = { readonly timeoutMs: number; readonly note?: string };

/** Beyond 2^31 ms a timer of Node fires at once. */
const longestMs = 7 * 24 * 3600 * 1000;

export function decideTimeLimit(
  request: Pick<ShellRequest, 'timeoutMs' | 'defaultTimeoutMs'>,
  limits: { readonly timeoutSeconds: number; readonly maxTimeoutSeconds: number },
): TimeLimit {
  const own = request.defaultTimeoutMs ?? 0;
  const defaultMs = Math.max(limits.timeoutSeconds * 1000, own);
  const maxMs = Math.min(Math.max(limits.maxTimeoutSeconds * 1000, defaultMs), longestMs);
  const wanted = request.timeoutMs;
  if (wanted === undefined) return { timeoutMs: Math.min(defaultMs, maxMs) };
  if (!Number.isFinite(wanted) || wanted <= 0) {
    throw new ToolFailure(
      'invalid_input',
      `The timeout must be a positive number of seconds, at most ${maxMs / 1000}.`,
    );
  }
  if (wanted <= maxMs) return { timeoutMs: wanted };
  const note = `The timeout of ${wanted / 1000} s was lowered to the maximum of ${maxMs / 1000} s.`;
  return { timeoutMs: maxMs, note };
}
