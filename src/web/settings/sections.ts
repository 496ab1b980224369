/** The pages of the settings, in the order of the sidebar. One whose feature is not there is not in the list. */
import { lazy, type ComponentType } from 'react';
import type { IconName } from '../ui/icon-paths.ts';
import type { WordKey } from '../words/words.ts';

export type Section = {
  /** In its address. */
  readonly id: string;
  readonly group: 'assistant' | 'hands' | 'program';
  readonly icon: IconName;
  readonly title: WordKey;
  readonly Page: ComponentType;
};

export const sections: readonly Section[] = [
  {
    id: 'models',
    group: 'assistant',
    icon: 'cpu',
    title: 'settings.page.models',
    Page: lazy(async () => ({ default: (await import('./models/models-page.tsx')).ModelsPage })),
  },
  {
    id: 'agent',
    group: 'assistant',
    icon: 'pencil',
    title: 'settings.page.agent',
    Page: lazy(async () => ({ default: (await import('./agent/agent-page.tsx')).AgentPage })),
  },
  {
    id: 'tools',
    group: 'hands',
    icon: 'tool',
    title: 'settings.page.tools',
    Page: lazy(async () => ({ default: (await import('./tools/tools-page.tsx')).ToolsPage })),
  },
  {
    id: 'permissions',
    group: 'hands',
    icon: 'shield',
    title: 'settings.page.permissions',
    Page: lazy(async () => ({ default: (await import('./permissions/permissions-page.tsx')).PermissionsPage })),
  },
  {
    id: 'sandbox',
    group: 'hands',
    icon: 'shield',
    title: 'settings.page.sandbox',
    Page: lazy(async () => ({ default: (await import('./sandbox/sandbox-page.tsx')).SandboxPage })),
  },
  {
    id: 'appearance',
    group: 'program',
    icon: 'eye',
    title: 'settings.page.appearance',
    Page: lazy(async () => ({ default: (await import('./appearance/appearance-page.tsx')).AppearancePage })),
  },
  {
    id: 'backup',
    group: 'program',
    icon: 'load',
    title: 'settings.page.backup',
    Page: lazy(async () => ({ default: (await import('./backup/backup-page.tsx')).BackupPage })),
  },
  {
    id: 'about',
    group: 'program',
    icon: 'info',
    title: 'settings.page.about',
    Page: lazy(async () => ({ default: (await import('./about/about-page.tsx')).AboutPage })),
  },
];
