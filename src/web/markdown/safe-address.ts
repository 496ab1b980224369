/** Which addresses a text of a model may lead to, and how they are named. Pure. */

export type SafeAddress = {
  readonly href: string;
  /** What is told beside the link when its words do not say it. */
  readonly place: string;
};

const allowed: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** Undefined: it leads nowhere from here, and its text is shown as text. Relative addresses would lead into the app itself. */
export function safeAddress(address: string): SafeAddress | undefined {
  const url = URL.parse(address);
  if (url === null || !allowed.has(url.protocol)) return undefined;
  // As the URL has it: a host in another script is written out, so that it cannot look like a known one.
  return { href: url.href, place: url.protocol === 'mailto:' ? url.pathname : url.host };
}
