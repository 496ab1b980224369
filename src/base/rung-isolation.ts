/** Which rungs of the ladder are walls. On the others every command is asked about, and none of them is chosen silently. */

/** proot rewrites paths and keeps nothing apart; on the host there is nothing at all. */
const open = ['proot', 'host'];

export function isIsolating(rung: string): boolean {
  return !open.includes(rung);
}

/** Its network is its own, and our proxy the one way out of it. On the others commands have the machine's. */
export function isBehindProxy(rung: string): boolean {
  return rung === 'namespaces' || rung === 'container';
}

/** Whether what commands print may have come from somewhere else. */
export function hasNetwork({
  sandbox,
}: {
  readonly sandbox: { readonly rung: string; readonly network: { readonly mode: string } };
}): boolean {
  return !isBehindProxy(sandbox.rung) || sandbox.network.mode !== 'off';
}
