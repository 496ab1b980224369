/** A hint for a name that does not exist. */
import { editDistance } from '../base/edit-distance.ts';

/** " Did you mean …?" with the nearest name, or the list to choose from. Begins with a space; never empty. */
export function suggestName(wanted: string, names: readonly string[]): string {
  const nearest = names
    .map((name) => ({ name, distance: editDistance(wanted.toLowerCase(), name) }))
    .sort((left, right) => left.distance - right.distance)[0];
  if (nearest !== undefined && nearest.distance <= Math.max(2, Math.floor(wanted.length / 3)))
    return ` Did you mean ${nearest.name}?`;
  return ` Available: ${[...names].sort().join(', ') || 'none'}.`;
}
