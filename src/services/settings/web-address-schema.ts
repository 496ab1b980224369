/** An address of the web as settings write it. Loads zod. */
import { z } from 'zod';

export const webAddress = z
  .string()
  .refine(isWebAddress, 'must be a web address (http:// or https://) without user name and password');

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}
