/** The bytes that `$'…'` stands for (bash manual, "ANSI-C Quoting"). */

const single: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

const escape = /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c([\s\S])|([\s\S]))/g;

/** Bash ends the string at the first NUL that an escape makes, so we do too. */
export function decodeAnsiEscapes(text: string): string {
  const decoded = text.replace(
    escape,
    (whole: string, octal?: string, hex?: string, short?: string, long?: string, control?: string, letter?: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      const code = hex ?? short ?? long;
      if (code !== undefined) return fromCodePoint(Number.parseInt(code, 16));
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
      return (letter === undefined ? undefined : single[letter]) ?? whole;
    },
  );
  const end = decoded.indexOf('\0');
  return end < 0 ? decoded : decoded.slice(0, end);
}

function fromCodePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}
