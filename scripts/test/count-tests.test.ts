import { expect, test } from 'vitest';
import { countTests } from './count-tests.ts';

const report = (change: object): string =>
  JSON.stringify({ numPassedTests: 3, numFailedTests: 0, testResults: [], ...change });

test('passed and failed tests are taken from the report', () => {
  expect(countTests(report({ numFailedTests: 2 }))).toEqual({ passed: 3, failed: 2 });
});

test('a file that fails without a failed test counts as one failure', () => {
  const broken = { status: 'failed', assertionResults: [] };
  const counted = { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] };
  expect(countTests(report({ numFailedTests: 1, testResults: [broken, counted] }))).toEqual({ passed: 3, failed: 2 });
});

test('a run without a report failed', () => {
  expect(countTests(undefined)).toEqual({ passed: 0, failed: 1 });
});
