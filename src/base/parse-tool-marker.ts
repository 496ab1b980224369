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
    const jsonEnd = text[jsonStart] === '{' ? endOfObject(text, jsonStart) : jsonStart;
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

/** The position behind the brace that closes the one at `start`; undefined when it stays open. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isInString) {
      if (character === '\\') at += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
