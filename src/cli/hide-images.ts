/** Events as a face prints them: that there is an image, not the image. It is for the model's context alone. */
import type { JournalEvent } from '../contract/event.ts';
import type { ImagePart } from '../contract/message.ts';

export function hideImages(event: JournalEvent): JournalEvent {
  if (event.type === 'turn-start') {
    const parts = event.message.parts.map((part) => (part.type === 'image' ? hide(part) : part));
    return { ...event, message: { ...event.message, parts } };
  }
  if (event.type !== 'tool-end' || event.outcome.images === undefined) return event;
  return { ...event, outcome: { ...event.outcome, images: event.outcome.images.map(hide) } };
}

const hide = (image: ImagePart): ImagePart => ({ ...image, data: '[image]' });
