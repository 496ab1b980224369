/** The shapes that several routes take. Keys that nobody knows are refused, so that nothing can be slipped in. */
import { z } from 'zod';

export const nothing = z.strictObject({});

export const wholeNumber = (max: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().max(max));

/** Control characters are no part of a title. */
export const title = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u, 'must be one line');

export const flag = z.literal('1');

export const modelName = z.string().min(1).max(200);
