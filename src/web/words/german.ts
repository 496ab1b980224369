/** All words of the pages, in German. Keep the gaps: a test compares them with the English ones. */
import { activityWords } from './german/activity.ts';
import { agentWords } from './german/agent.ts';
import { permissionsWords } from './german/permissions.ts';
import { chatWords } from './german/chat.ts';
import { doingWords } from './german/doing.ts';
import { filesWords } from './german/files.ts';
import { frameWords } from './german/frame.ts';
import { kaiWords } from './german/kai.ts';
import { sandboxPageWords } from './german/sandbox-page.ts';
import { sandboxWords } from './german/sandbox.ts';
import { modelsWords } from './german/models.ts';
import { programWords } from './german/program.ts';
import { settingsWords } from './german/settings.ts';
import { setupWords } from './german/setup.ts';
import { userlandWords } from './german/userland.ts';
import { viewsWords } from './german/views.ts';
import { runWords } from './german/run.ts';
import { answersWords } from './german/answers.ts';
import { stepsWords } from './german/steps.ts';
import { terminalWords } from './german/terminal.ts';
import { toolsWords } from './german/tools.ts';
import { toolPageWords } from './german/tool-page.ts';
import type { Table } from './words.ts';

export const german: Table = {
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
};
