/** Each script in two of the four dialects: every dialect plays half of them, and every two dialects meet in some. The soak plays all. */
import { dialectNames } from './dialect-client.ts';
import type { WireDialectName } from './model-server.ts';
import { soakAll } from './soak.ts';

const pairs: readonly (readonly [number, number])[] = [
  [0, 1],
  [2, 3],
  [0, 2],
  [1, 3],
  [0, 3],
  [1, 2],
];

export function scriptsFor<Script>(dialect: WireDialectName, scripts: readonly Script[]): readonly Script[] {
  return soakAll(scripts, (_, at) => pairs[at % pairs.length]?.includes(dialectNames.indexOf(dialect)) === true);
}
