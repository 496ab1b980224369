/** What is attached to a message that is being written. */
import type { TurnImage } from '../screen.ts';

export type Attachment = { readonly id: string; readonly name: string } & (
  | { readonly kind: 'reading' }
  | ({ readonly kind: 'image' } & TurnImage)
  /** `sent`: from 0 to 1, while it is uploaded. */
  | { readonly kind: 'file'; readonly file: File; readonly sent?: number }
  | { readonly kind: 'refused'; readonly problem: AttachProblem }
);

export type AttachProblem = 'too-large' | 'too-many' | 'not-readable' | 'empty';

/** What the server takes with one message. */
export const maxImages = 10;
/** Base64 makes 4 of 3, and the server takes 24 MB in all. */
export const maxImageBytes = 17 * 1024 * 1024;

export const imageBytes = ({ data }: TurnImage): number => Math.floor((data.length * 3) / 4);
