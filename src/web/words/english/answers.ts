/** English words of what can be done with answers: copy, read aloud, export, be told. */
export const answersWords = {
  'speech.read': 'Read aloud',
  'speech.stop': 'Stop reading',
  'speech.newest': 'Read the answer aloud',
  'notify.asks': 'Handrail asks you',
  'notify.over': 'It is done',
  'notify.offer': 'Tell me when it asks or is done, also when I look elsewhere',
  'notify.decline': 'Do not offer this again',
  'notify.allow': 'Allow notifications',
  'notify.state-default': 'Not decided yet. Your browser will ask you.',
  'notify.state-granted': 'You are told when something asks or a long run is done while you look elsewhere.',
  'notify.state-denied':
    'This browser does not allow notifications for this address. Change that in the settings of the browser for this page.',
  'notify.state-unsupported': 'This browser has no notifications here. They need https, or an address of this machine.',
  'notify.said': 'Notifications',
  'notify.open': 'Open',
  'notify.put-away': 'Put away',
  'export.markdown': 'Export as Markdown',
  'export.json': 'Export as JSON',
} as const;
