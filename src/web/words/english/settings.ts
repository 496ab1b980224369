/** English words of the frame of the settings; each page has its own file. */
export const settingsWords = {
  'settings.title': 'Settings',
  'settings.back': 'Back to the chat',
  'settings.pages': 'Settings pages',
  'settings.saved': 'Changes are saved as you make them.',
  'settings.changed-meanwhile':
    'This was changed elsewhere meanwhile. What stands there now is shown; change it again if you still want to.',
  'settings.page.about': 'About',
  'settings.group.assistant': 'Assistant',
  'settings.group.hands': 'Hands',
  'settings.group.program': 'This program',
} as const;
