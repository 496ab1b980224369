/** Counts what a vitest JSON report says. */

type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
};

/** A file that could not even be loaded counts as one failure, and so does a run that left no report. */
export function countTests(report: string | undefined): { readonly passed: number; readonly failed: number } {
  if (report === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(report) as Report;
  const brokenFiles = testResults.filter((file) => file.status === 'failed' && !hasFailedTest(file)).length;
  return { passed: numPassedTests, failed: numFailedTests + brokenFiles };
}

function hasFailedTest(file: Report['testResults'][number]): boolean {
  return file.assertionResults.some((result) => (result as { readonly status: string }).status === 'failed');
}
