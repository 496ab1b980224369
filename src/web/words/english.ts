/** All words of the pages, in English, one file per part of the app. `{name}` is a gap; `.one` and `.many` go together. */
import { chatWords } from './english/chat.ts';
import { frameWords } from './english/frame.ts';
import { kaiWords } from './english/kai.ts';
import { sandboxWords } from './english/sandbox.ts';
import { settingsWords } from './english/settings.ts';
import { viewsWords } from './english/views.ts';
import { stepsWords } from './english/steps.ts';

export const english = {
  ...chatWords,
  ...frameWords,
  ...kaiWords,
  ...sandboxWords,
  ...settingsWords,
  ...stepsWords,
  ...viewsWords,
} as const;
