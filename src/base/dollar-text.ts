/** Dollars in the words of every screen and message. */

/** "$12.30", "$0.0042", "< $0.0001". */
export function dollarText(usd: number): string {
  if (usd > 0 && usd < 0.0001) return '< $0.0001';
  return `$${usd.toFixed(usd > 0 && usd < 0.995 ? 4 : 2)}`;
}
