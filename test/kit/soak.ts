/** How much of what could be tried is tried: a sample in `npm test`, all of it or ten times that in `npm run test:soak`. */

const isSoak = process.env['HANDRAIL_TEST_SOAK'] === '1';

export function soak(sampled: number): number {
  return isSoak ? sampled * 10 : sampled;
}

/** Of a list that is run whole in `npm run test:soak` only: the sample that `npm test` takes. */
export function soakAll<Item>(all: readonly Item[], isSampled: (item: Item, at: number) => boolean): readonly Item[] {
  return isSoak ? all : all.filter(isSampled);
}
