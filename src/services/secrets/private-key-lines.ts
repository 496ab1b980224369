/** Lines of a private key that come as texts of their own: a diff is a list of lines. */

export type PrivateKeyLines = {
  /** Texts in their order. */
  take(text: string): string;
};

const begins = /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----\s*$/;
const bodyLine = /^(\s*(?:\d{1,6}[:|\t]\s*)?[-+ ]?)([A-Za-z0-9+/=]{16,})(\s*)$/;

export function createPrivateKeyLines(hide: (secret: string) => string): PrivateKeyLines {
  let isInside = false;
  return {
    take(text) {
      if (begins.test(text)) isInside = true;
      else if (text.includes('-----END ')) isInside = false;
      else if (isInside) {
        return text.replace(bodyLine, (_, before: string, body: string, after: string) => before + hide(body) + after);
      }
      return text;
    },
  };
}
