/** Characters that are shown as nothing, as a plain space, or out of order. */

// Controls but tab, formats (zero width, direction marks, tags), lone surrogates, every space but U+0020, and the blank Braille cell.
const hidden = /[\0-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\u2800]|(?! )\p{Zs}/u;

// eslint-disable-next-line no-control-regex -- finding control characters is the job
const plainAscii = /^[\t\x20-\x7e]*$/;

/** Outside quotes no honest command holds one; newline is the caller's business. */
export function hasHiddenCharacter(text: string): boolean {
  return !plainAscii.test(text) && hidden.test(text);
}
