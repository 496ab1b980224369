/** How a rung looks: a wall, less than a wall, or none. The words say it too. */

/** `rung`: the server's words for it. */
export function rungLook(rung: string): 'good' | 'ask' | 'bad' {
  if (/no sandbox/i.test(rung)) return 'bad';
  return /shared network|compatibility/i.test(rung) ? 'ask' : 'good';
}
