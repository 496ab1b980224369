/** All words of the pages, in English, one file per part of the app. `{name}` is a gap; `.one` and `.many` go together. */
import { activityWords } from './english/activity.ts';
import { agentWords } from './english/agent.ts';
import { permissionsWords } from './english/permissions.ts';
import { chatWords } from './english/chat.ts';
import { doingWords } from './english/doing.ts';
import { filesWords } from './english/files.ts';
import { frameWords } from './english/frame.ts';
import { kaiWords } from './english/kai.ts';
import { sandboxPageWords } from './english/sandbox-page.ts';
import { sandboxWords } from './english/sandbox.ts';
import { modelsWords } from './english/models.ts';
import { programWords } from './english/program.ts';
import { settingsWords } from './english/settings.ts';
import { setupWords } from './english/setup.ts';
import { userlandWords } from './english/userland.ts';
import { viewsWords } from './english/views.ts';
import { runWords } from './english/run.ts';
import { answersWords } from './english/answers.ts';
import { stepsWords } from './english/steps.ts';
import { terminalWords } from './english/terminal.ts';
import { toolsWords } from './english/tools.ts';
import { toolPageWords } from './english/tool-page.ts';

export const english = {
  ...activityWords,
  ...agentWords,
  ...permissionsWords,
  ...chatWords,
  ...doingWords,
  ...filesWords,
  ...frameWords,
  ...kaiWords,
  ...modelsWords,
  ...programWords,
  ...sandboxPageWords,
  ...sandboxWords,
  ...settingsWords,
  ...setupWords,
  ...stepsWords,
  ...terminalWords,
  ...answersWords,
  ...toolPageWords,
  ...toolsWords,
  ...runWords,
  ...userlandWords,
  ...viewsWords,
} as const;
