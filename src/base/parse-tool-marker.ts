/** Finds calls of the form `[TOOL: name {json}]` in a text, for models and programs without native calls. */

export type ToolMarker = {
  readonly tool: string;
  /** The JSON between the braces as written; "{}" when there is none. */
  readonly input: string;
  readonly start: number;
  /** Behind the closing bracket. */
  readonly end: number;
};

const opening = /\[TOOL:\s*([A-Za-z0-9_.-]+)\s*/g;

/**
 * All whole markers, in order. Braces are balanced with strings and escapes understood, so nested JSON and a `]` within it
 * are no obstacle. An opening without its end is no marker.
 */
export function parseToolMarkers(text: string): readonly ToolMarker[] {
  const found: ToolMarker[] = [];
  opening.lastIndex = 0;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const jsonStart = opening.lastIndex;
    const jsonEnd = text[jsonStart] === '{' ? createObjectScanner().scan(text, jsonStart) : jsonStart;
    if (jsonEnd === undefined) continue;
    const close = /\s*\]/y;
    close.lastIndex = jsonEnd;
    if (!close.test(text)) continue;
    found.push({
      tool: match[1] ?? '',
      input: text.slice(jsonStart, jsonEnd) || '{}',
      start: match.index,
      end: close.lastIndex,
    });
    opening.lastIndex = close.lastIndex;
  }
  return found;
}

export type ObjectScanner = {
  /** The position in `text` behind the brace that closes the first one; undefined when it stays open so far. */
  scan(text: string, start?: number): number | undefined;
};

/** Balances braces over pieces of text, so that a long object that streams in is read once. */
export function createObjectScanner(): ObjectScanner {
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  return {
    scan(text, start = 0) {
      for (let at = start; at < text.length; at += 1) {
        const character = text[at];
        if (isEscaped) isEscaped = false;
        else if (isInString) {
          if (character === '\\') isEscaped = true;
          else if (character === '"') isInString = false;
        } else if (character === '"') isInString = true;
        else if (character === '{') depth += 1;
        else if (character === '}') {
          depth -= 1;
          if (depth === 0) return at + 1;
        }
      }
      return undefined;
    },
  };
}
