/** Tool names and call ids as every provider takes them, made from whatever a model once wrote. */

const maxNameChars = 64;
/** Chat Completions refuses ids over 40 characters, Responses over 64. */
const maxIdChars = 40;

/** A name of letters, digits, `_` and `-` that begins with a letter or `_` (Gemini wants that) and has at most 64 characters. */
export function toWireName(name: string): string {
  // The SDKs look names up in plain objects, which have `constructor` and the like from their prototype.
  if (name in {}) return `${name}_`;
  if (/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name)) return name;
  const clean = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  const begun = /^[a-zA-Z_]/.test(clean) ? clean : `_${clean}`;
  return begun.slice(0, maxNameChars);
}

/** Gives each call of one history an id; the same history always gets the same ids, so that prompt caches hold. */
export function createWireIds(): (callId: string) => string {
  const used = new Set<string>();
  let count = 0;
  return (callId) => {
    count += 1;
    const isLegal = callId.length <= maxIdChars && /^[a-zA-Z0-9_-]+$/.test(callId);
    let id = isLegal ? callId : callId.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, maxIdChars - 8);
    if (id === '' || used.has(id)) id = `${id.slice(0, maxIdChars - 8) || 'call'}_${count}`;
    while (used.has(id)) id = `${id.slice(0, maxIdChars - 8)}_${++count}`;
    used.add(id);
    return id;
  };
}
