/** English words of the first steps and of picking a folder. */
export const setupWords = {
  'folder.pick': 'Choose a folder',
  'folder.path': 'Folder',
  'folder.up': 'One folder up',
  'folder.open': 'Go there',
  'folder.in': 'Folders in {folder}',
  'folder.loading': 'Reading the folder',
  'folder.empty': 'No folders in here.',
  'folder.more.one': '{count} more is not shown. Write its path above.',
  'folder.more.many': '{count} more are not shown. Write the path of one above.',
  'folder.use': 'Use this folder',
  'folder.cancel': 'Cancel',
  'folder.is-git': 'A git repository.',
  'folder.is-plain': 'A folder without git: changes in it have no history.',
  'folder.has-project-text': 'Its AGENTS.md is read as project text; it can grant nothing.',
} as const;
