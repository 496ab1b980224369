/** Arithmetic evaluates subscripts, so quoted text such as `a[$(command)]` runs when a builtin counts with it. */

/** Whether a subscript in the text holds a command substitution. */
export function hidesSubstitution(text: string): boolean {
  if (!text.includes('[') || !(text.includes('$(') || text.includes('`'))) return false;
  let depth = 0;
  for (let index = 1; index < text.length; index += 1) {
    const character = text[index];
    if (character === '[') {
      if (depth > 0 || /\w/.test(text[index - 1] ?? '')) depth += 1;
    } else if (character === ']') depth = Math.max(0, depth - 1);
    else if (depth > 0 && (character === '`' || (character === '$' && text[index + 1] === '('))) return true;
  }
  return false;
}
