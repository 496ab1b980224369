/** How often a randomised test tries: a sample in `npm test`, ten times that in `npm run test:soak`. */

const isSoak = process.env['HANDRAIL_TEST_SOAK'] === '1';

export function soak(sampled: number): number {
  return isSoak ? sampled * 10 : sampled;
}
