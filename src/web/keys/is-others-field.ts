/** A terminal and an editor keep their keys: what is pressed there is theirs. */
export function isOthersField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.xterm, .cm-editor') !== null;
}
