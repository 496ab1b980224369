/** The words for a rung of the ladder: the same on every screen. */

const words: Readonly<Record<string, string>> = {
  namespaces: 'sandbox: namespaces',
  'namespaces-shared-network': 'sandbox: namespaces, shared network',
  container: 'sandbox: container',
  proot: 'compatibility, not isolation (proot)',
  host: 'no sandbox',
};

export function rungText(rung: string): string {
  return words[rung] ?? rung;
}
