/** What the face is made of, and what of it goes through it unchanged. */
import { ToolFailure } from '../contract/failure.ts';
import type { Handrail } from '../contract/handrail.ts';
import type { ModelClient, ModelInfo } from '../contract/model.ts';
import type { PersonFiles } from '../contract/person-files.ts';
import type { Settings } from '../contract/settings.ts';
import type { Conversation } from '../contract/storage.ts';
import type { RecordParts } from './kept-records.ts';
import { recordPersonFiles } from './person-acts.ts';

export type FaceParts = Pick<
  Handrail,
  | 'version'
  | 'settingsFile'
  | 'explainRule'
  | 'listTools'
  | 'switchTool'
  | 'secrets'
  | 'rung'
  | 'examine'
  | 'confirmations'
  | 'notifications'
  | 'fileViewing'
  | 'upkeep'
> &
  RecordParts & {
    /** Those in force. */
    settings(): Settings;
    readonly hands: Pick<
      Handrail,
      | 'jobs'
      | 'readArtifact'
      | 'terminals'
      | 'shells'
      | 'contacts'
      | 'sandboxReport'
      | 'trusted'
      | 'userland'
      | 'sandboxShell'
    > & { personFiles(workspace: string | undefined): Promise<PersonFiles> };
    readonly models: {
      /** Rejects with SetupFailure that names the ways to connect one. `name` omitted: the default. */
      client(name: string | undefined): Promise<ModelClient>;
      info(name: string | undefined): Promise<ModelInfo | undefined>;
      choices(): ReturnType<Handrail['modelChoices']>;
      setup: Handrail['modelSetup'];
      tryOut: Handrail['tryModel'];
    };
    release(): Promise<void>;
  };

/** What runs no turn and no call. */
export function passedOn(parts: FaceParts) {
  return {
    version: parts.version,
    settingsFile: parts.settingsFile,
    explainRule: parts.explainRule,
    async systemPrompt(workspace = parts.workspace ?? '') {
      const { systemPrompt, newId } = await parts.turnServices();
      return systemPrompt({ id: newId(), workspace, isThrowaway: true });
    },
    listTools: parts.listTools,
    switchTool: parts.switchTool,
    secrets: parts.secrets,
    modelChoices: () => parts.models.choices(),
    modelSetup: () => parts.models.setup(),
    tryModel: (trial) => parts.models.tryOut(trial),
    folders: (path) => parts.workspaces.list(path),
    scratchFolder: () => parts.workspaces.make('temporary'),
    upkeep: parts.upkeep,
    rung: parts.rung,
    examine: parts.examine,
    confirmations: parts.confirmations,
    jobs: parts.hands.jobs,
    readArtifact: parts.hands.readArtifact,
    async files(conversationId) {
      const { workspace } = conversationId === undefined ? {} : await knownConversation(parts, conversationId);
      return recordPersonFiles(await parts.hands.personFiles(workspace), parts.turnServices);
    },
    notifications: parts.notifications,
    fileViewing: parts.fileViewing,
    terminals: parts.hands.terminals,
    shells: parts.hands.shells,
    contacts: parts.hands.contacts,
    sandboxReport: parts.hands.sandboxReport,
    trusted: parts.hands.trusted,
    userland: parts.hands.userland,
    sandboxShell: parts.hands.sandboxShell,
  } satisfies Partial<Handrail>;
}

async function knownConversation(parts: RecordParts, id: string): Promise<Conversation> {
  const found = await (await parts.storage()).conversations.get(id);
  if (found !== undefined) return found;
  throw new ToolFailure('not_found', `There is no conversation ${id}. It may have been removed.`);
}
