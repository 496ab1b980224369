import { expect, test } from 'vitest';
import { dollarText } from './dollar-text.ts';

test('shows cents of large amounts and enough digits of small ones', () => {
  expect([0, 0.00001, 0.0042, 0.5, 0.999, 12.3].map(dollarText)).toEqual([
    ...['$0.00', '< $0.0001', '$0.0042', '$0.5000', '$1.00', '$12.30'],
  ]);
});
