/** Makes one line of a text, for places that have room for no more. The text itself is shown whole elsewhere. */

export function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ');
}
