/** Every key of settings.json by its full path, and the one that somebody may have meant. */
import { editDistance } from '../../base/edit-distance.ts';
import type { JsonSchema } from '../../contract/model.ts';

/** Paths such as `sandbox.network.mode` and `models[].baseUrl`. */
export function knownKeys(schema: JsonSchema, path = ''): readonly string[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  return Object.entries(properties).flatMap(([name, child]) => {
    const here = path === '' ? name : `${path}.${name}`;
    const items = child['items'];
    const entries = typeof items === 'object' && items !== null ? knownKeys(items as JsonSchema, `${here}[]`) : [];
    return [here, ...knownKeys(child, here), ...entries];
  });
}

/** The key of the same name elsewhere, or the one with the fewest other letters; undefined when none is near. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const wanted = key.replace(/\[[0-9]+\]/g, '[]');
  const name = lastName(wanted);
  const elsewhere = known.filter((candidate) => lastName(candidate).toLowerCase() === name.toLowerCase());
  if (elsewhere.length > 0) return nearest(wanted, elsewhere, Infinity);
  return (
    nearest(
      wanted,
      known.filter((candidate) => parent(candidate) === parent(wanted)),
      allowance(name),
    ) ?? nearest(wanted, known, allowance(name))
  );
}

function nearest(wanted: string, candidates: readonly string[], limit: number): string | undefined {
  let best: string | undefined;
  let bestDistance = limit;
  for (const candidate of candidates) {
    const distance = editDistance(wanted.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance || (distance === bestDistance && best === undefined)) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

const lastName = (key: string) => key.slice(key.lastIndexOf('.') + 1);
const parent = (key: string) => key.slice(0, Math.max(0, key.lastIndexOf('.')));
const allowance = (name: string) => Math.max(2, Math.floor(name.length / 3));
