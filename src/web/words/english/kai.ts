/** English words around the screens that a model describes. */
export const kaiWords = {
  'kai.screen': 'Screen',
  'kai.by-model': 'Shown by the model as kai-ui',
  'kai.waiting': '{label}, waiting for the answer',
  'kai.awaited': 'Sent. Waiting for the next screen.',
  'kai.answered': 'answered',
  'kai.progress': 'Progress',
  'kai.mode': 'How it answers',
  'kai.mode-chat': 'Chat',
  'kai.mode-interactive': 'Interactive',
  'kai.mode-text': 'Interactive: it answers with screens to press and fill in.',
} as const;
