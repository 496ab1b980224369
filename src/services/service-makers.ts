/** How each service is made from what the program knows; every one is loaded on its first use. */
import { join } from 'node:path';
import { once } from '../base/once.ts';
import { isIsolating } from '../base/rung-isolation.ts';
import type { Access, ResolvedPath } from '../contract/access.ts';
import type {
  Artifacts,
  CallScope,
  Clock,
  ConversationInfo,
  Files,
  SandboxReport,
  Search,
  ServiceOwner,
  Shell,
  ShellFacts,
} from '../contract/services.ts';
import type { AllJobs, Jobs } from '../contract/jobs.ts';
import type { Code } from '../contract/code.ts';
import type { AllTerminals, Terminals, TypedState } from '../contract/terminals.ts';
import type { Ssh } from '../contract/ssh.ts';
import type { Viewer } from '../contract/viewer.ts';
import type { Notifications } from '../contract/notifications.ts';
import type { AllShells, ShellState } from '../contract/shell-state.ts';
import type { ContactEntry } from '../contract/contacts.ts';
import type { PersonFiles } from '../contract/person-files.ts';
import type { PersonalShell, Userland } from '../contract/userland.ts';
import type { TrustedFiles } from './trusted-files/create-trusted-files.ts';
import type { Sandbox } from './sandbox/create-sandbox.ts';
import { openViewing } from './viewer/open-viewing.ts';
import { openNotifications } from './notifications/open-notifications.ts';
import type { ServiceSources } from './service-sources.ts';

export type HandServices = {
  readonly makers: {
    files(): Promise<ServiceOwner<Files>>;
    search(): Promise<ServiceOwner<Search>>;
    shell(): Promise<ServiceOwner<Shell>>;
    jobs(): Promise<ServiceOwner<Jobs>>;
    terminals(): Promise<ServiceOwner<Terminals>>;
    code(): Promise<ServiceOwner<Code>>;
    ssh(): Promise<ServiceOwner<Ssh>>;
    artifacts(): Promise<ServiceOwner<Artifacts>>;
    clock(): Promise<ServiceOwner<Clock>>;
    notifications(): Promise<ServiceOwner<Notifications>>;
    viewer(): Promise<ServiceOwner<Viewer>>;
  };
  /** The sandbox's home as commands know it. */
  readonly homePath: string;
  resolvePath(access: Extract<Access, { kind: 'path' }>, conversation: ConversationInfo): Promise<ResolvedPath>;
  readonly keepArtifact: Artifacts['keep'];
  readArtifact: Artifacts['read'];
  /** Undefined: of the home alone. */
  personFiles(workspace: string | undefined): Promise<PersonFiles>;
  shellFacts(): Promise<ShellFacts>;
  sandboxReport(): Promise<SandboxReport>;
  sandbox(): Promise<Sandbox>;
  /** Background jobs of all conversations. */
  jobs(): Promise<AllJobs>;
  /** Terminals of all conversations. */
  terminals(): Promise<AllTerminals>;
  /** Shells of all conversations that live in this process. */
  shells(): Promise<AllShells>;
  /** Hosts that commands have contacted, newest first. */
  contacts(options?: { readonly limit?: number; readonly conversationId?: string }): Promise<readonly ContactEntry[]>;
  /** The setting `terminal.allowedCommands`. */
  readonly listedCommands: readonly string[];
  typedState(conversation: ConversationInfo, terminal: string): Promise<TypedState>;
  /** What commands changed of files that the machine obeys later. */
  trusted(): Promise<TrustedFiles>;
  /** Of whoever owns the folder. */
  userland(folder: string): Promise<Userland>;
  /** A shell in the sandbox, on the terminal of a person. */
  sandboxShell(request: PersonalShell): Promise<number>;
  /** Where that home lies on the machine. */
  readonly homeFolder: string;
  /** Of the conversation's own shell. */
  shellState(conversation: ConversationInfo): Promise<ShellState | undefined>;
  /** Whether commands run in a sandbox that keeps them from the machine. */
  isSandboxed(): boolean;
  isAllowedHost(host: string): boolean;
  /** Closes its shell; directory and exports are kept for the next one. Jobs and terminals go on. */
  leaveConversation(id: string): Promise<void>;
  /** Ends what the conversation has running and drops what is kept for it. */
  closeConversation(id: string): Promise<void>;
};

const homePath = '/home/handrail';

/** What keeps results does so for the program itself, not for one call. */
const programScope: CallScope = {
  callId: 'program',
  conversation: { id: 'program', workspace: '/', isThrowaway: true },
  granted: [],
  signal: new AbortController().signal,
};

export function createServices(sources: ServiceSources): HandServices {
  const { folders, settings, userHome, environment } = sources;
  const { artifactsFolder, homeFolder, trashFolder, workspacesFolder } = folders;
  const trusted = once(async () => {
    const { createTrustedFiles } = await import('./trusted-files/create-trusted-files.ts');
    return createTrustedFiles({ folder: join(folders.data, 'trusted-files') });
  });
  const files = once(async () => {
    const { createFiles } = await import('./files/create-files.ts');
    const { approveWrites } = await import('./trusted-files/approve-writes.ts');
    const owner = createFiles({
      stateRoots: folders.roots,
      artifactsFolder,
      homeFolder,
      homePath,
      homeOf: async (workspace) => (await sandbox()).homeFor(workspace).folder,
      workspacesFolder,
      trashFolder,
      userHome,
      ...limitedTo(settings.files.allowedPaths, userHome),
    });
    return approveWrites(owner, trusted.made);
  });
  const artifacts = once(async () =>
    (await import('./artifacts/create-artifacts.ts')).createArtifacts({
      folder: artifactsFolder,
      ...(sources.redactor === undefined ? {} : { redactor: sources.redactor }),
    }),
  );
  const keeper = once(async () => (await artifacts()).forCall(programScope));
  const sandbox = once(async () => (await import('./sandbox/open-sandbox.ts')).openSandbox(sources));
  const shell = once(async () => {
    const { createShell } = await import('./shell/create-shell.ts');
    const { guardCommands } = await import('./trusted-files/guard-commands.ts');
    const owner = createShell({
      sandbox: await sandbox(),
      artifacts: await keeper(),
      limits: () => settings.shell,
      environment,
      shellsFolder: join(folders.data, 'shells'),
      ...(sources.redactor === undefined ? {} : { redactor: await sources.redactor() }),
    });
    return guardCommands(owner, { trusted: await trusted(), stillRuns: owner.hasBackground });
  });
  const jobs = once(async () => {
    const { openJobs } = await import('./jobs/open-jobs.ts');
    return openJobs(sources);
  });
  const terminals = once(async () => {
    const { openTerminals } = await import('./terminals/open-terminals.ts');
    return openTerminals(sources);
  });
  const notices = sources.notices ?? openNotifications(environment);
  const viewing = sources.viewing ?? openViewing(environment);
  return {
    makers: {
      files,
      search: async () => {
        const { createSearch } = await import('./search/create-search.ts');
        return createSearch({ guardFor: (await files()).guardFor });
      },
      shell,
      jobs,
      terminals,
      code: async () => {
        const { createCode } = await import('./code/create-code.ts');
        return createCode({
          sandbox: await sandbox(),
          artifacts: await keeper(),
          limits: () => settings.shell,
          hasOwnSystem: () => settings.sandbox.root === 'userland',
          environment,
          trusted: await trusted(),
        });
      },
      ssh: async () => {
        const { createSsh } = await import('./ssh/create-ssh.ts');
        return createSsh(await sandbox());
      },
      artifacts,
      clock: async () => (await import('./clock.ts')).createClock(),
      notifications: notices.owner,
      viewer: () => viewing.owner(async (scope) => (await files()).forCall(scope)),
    },
    homePath,
    resolvePath: async (access, conversation) => (await files()).resolve(access, conversation),
    personFiles: async (workspace) =>
      (await import('./files/person-files.ts')).createPersonFiles({
        files: await files(),
        ...{ homePath, homeFolder, workspace },
      }),
    readArtifact: async (id, page) => (await keeper()).read(id, page),
    keepArtifact: async (content) => (await keeper()).keep(content),
    shellFacts: once(async () => {
      // Every turn wants them, also those that run no command: without a userland they need no sandbox.
      if (settings.sandbox.root === 'userland') return (await shell()).facts();
      const { describeMachine } = await import('./shell/describe-machine.ts');
      return describeMachine(settings.sandbox.rung, environment);
    }),
    sandboxReport: async () => {
      const { report, limits } = await sandbox();
      return { ...(await report()), limits: limits.describe() };
    },
    sandbox,
    jobs: async () => (await jobs()).all,
    terminals: async () => (await terminals()).all,
    shells: async () => ({
      // Where none was ever opened there is nothing to look at.
      list: async () => (await shell.made())?.openShells() ?? [],
      async close(id) {
        const owner = await shell.made();
        if (owner?.openShells().some(({ conversation }) => conversation === id) !== true) return false;
        await owner.closeConversation(id);
        return true;
      },
    }),
    contacts: async (options) => (await sandbox()).network?.listContacts(options) ?? [],
    listedCommands: settings.terminal.allowedCommands,
    typedState: async (conversation, name) => (await terminals()).typedState(conversation, name),
    trusted,
    userland: async (folder) =>
      (await import('./userland/open-userland.ts')).openUserland(
        { homeFolder, settings, sandbox: await sandbox() },
        folder,
      ),
    sandboxShell: async (request) =>
      (await import('./terminals/personal-shell.ts')).openPersonalShell(await sandbox(), request),
    homeFolder,
    shellState: async ({ id }) => (await shell()).shellState(id),
    isSandboxed: () => isIsolating(settings.sandbox.rung),
    isAllowedHost: () => false,
    leaveConversation: async (id) => (await shell.made())?.closeConversation(id),
    async closeConversation(id) {
      await (await shell()).closeConversation(id, { forget: true });
      await (await jobs()).closeConversation(id);
      await (await terminals()).closeConversation(id);
      const { removeTemporary } = await import('./sandbox/shared-temporary.ts');
      await removeTemporary(folders.data, homeFolder, id);
    },
  };
}

/** Nothing where every folder may be asked for. */
function limitedTo(allowed: readonly string[], userHome: string): { readonly allowedPaths?: readonly string[] } {
  if (allowed.includes('/')) return {};
  return { allowedPaths: allowed.map((folder) => folder.replace(/^~(?=\/|$)/, userHome)) };
}
