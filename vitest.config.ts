/** How the tests run: `quick` is what one runs while writing, `all` adds journeys and faults. */
import { defineConfig } from 'vitest/config';

const quick = ['src/**/*.test.ts', 'test/contract/**/*.test.ts'];

export default defineConfig({
  test: {
    // Real processes and real sandboxes: a machine under load is slow, not broken.
    // Full counts are ten times the samples (test/kit/soak.ts), the longest of which takes 25 seconds on two quiet processors.
    testTimeout: process.env['HANDRAIL_TEST_SOAK'] === '1' ? 1_800_000 : 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    pool: 'forks',
    // Most of them wait for processes and servers most of the time.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'quick', include: quick } },
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['test/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          exclude: ['test/contract/**'],
        },
      },
    ],
  },
});
