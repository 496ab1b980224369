/** How a rung looks: a wall, less than a wall, or none. The words say it too. */

/** Short for the bar: the server's words without what the shield says, and how far the network reaches. */
export function rungWords(rung: string, network: string): string {
  const words = rung.replace(/^sandbox: /, '');
  const short = words.charAt(0).toUpperCase() + words.slice(1);
  // Outside of a wall nothing holds the network.
  return rungLook(rung) === 'good' ? `${short} · ${network}` : short;
}

/** `rung`: the server's words for it. */
export function rungLook(rung: string): 'good' | 'ask' | 'bad' {
  if (/no sandbox/i.test(rung)) return 'bad';
  return /shared network|compatibility/i.test(rung) ? 'ask' : 'good';
}
