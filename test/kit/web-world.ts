/** The server of the web app: as the real program before a scripted model, or inside the test with guards swapped out. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Handrail } from '../../src/contract/handrail.ts';
import type { WebConversation } from '../../src/contract/web-api.ts';
import { createHandrail } from '../../src/main.ts';
import { serveWeb, type WebServer, type WebServerOptions } from '../../src/server/serve-web.ts';
import type { LiveProgram, ProgramWorld } from './program.ts';
import { createTurnJourney, type TurnJourney } from './turn-journey.ts';
import { signIn, type WebClient } from './web-client.ts';

export type ServedProgram = { readonly program: LiveProgram; readonly link: string; readonly client: WebClient };

export type WebJourney = TurnJourney & {
  /** `handrail serve --port 0 …`, and a browser that is signed in. */
  serve(more?: readonly string[]): Promise<ServedProgram>;
};

export async function createWebJourney(
  turns: Parameters<typeof createTurnJourney>[1],
  dialect: Parameters<typeof createTurnJourney>[0] = 'anthropic',
): Promise<WebJourney> {
  const journey = await createTurnJourney(dialect, turns);
  return {
    ...journey,
    async serve(more) {
      const served = await serveProgram(journey, more);
      await leaveWelcome(served.client);
      return served;
    },
  };
}

/** `handrail serve --port 0 …`, and a browser that is signed in. */
export async function serveProgram(
  world: Pick<ProgramWorld, 'start'>,
  more: readonly string[] = ['--port', '0'],
): Promise<ServedProgram> {
  const program = world.start(['serve', ...more]);
  onTestFinished(async () => {
    program.kill('SIGTERM');
    await program.ended;
  });
  const link = await readLink(program);
  return { program, link, client: await signIn(link) };
}

/** The first steps have a journey of their own: everything else begins behind them. */
const leaveWelcome = (client: WebClient) => client.send('PATCH', '/api/welcome', { isDone: true });

/** It is printed on standard output, of which nobody tells us: looked for until it is there. */
async function readLink(program: LiveProgram): Promise<string> {
  let hasEnded = false;
  void program.ended.then(() => (hasEnded = true));
  for (;;) {
    const link = /http:\S+\/link\/\S+(?=\n)/.exec(program.stdout())?.[0];
    if (link !== undefined) return link;
    if (hasEnded) throw new Error(`The server ended: ${program.stdout()}${program.stderr()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export type InsideServer = {
  readonly server: WebServer;
  readonly handrail: Handrail;
  readonly client: WebClient;
  /** What the server complained about. */
  readonly problems: readonly string[];
  readonly stateFolder: string;
  readonly webFolder: string;
};

/** In the test's own process. Everything is gone when the test ends. */
export async function startWebServer(options: Partial<WebServerOptions> = {}): Promise<InsideServer> {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'handrail-web-')));
  const [home, workspace, webFolder] = ['home', 'workspace', 'web'].map((name) => path.join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, workspace]) mkdirSync(folder);
  const stateFolder = path.join(root, 'state');
  const environment = { PATH: process.env['PATH'], HOME: home, HANDRAIL_HOME: stateFolder };
  const handrail = await createHandrail({ workspace, environment });
  const problems: string[] = [];
  const server = await serveWeb({
    handrail,
    host: '127.0.0.1',
    port: 0,
    sessionFile: path.join(stateFolder, 'web-sessions.json'),
    webFolder,
    onProblem: (line) => problems.push(line),
    ...options,
  }).catch(async (error: unknown) => {
    await handrail.close();
    rmSync(root, { recursive: true, force: true });
    throw error;
  });
  onTestFinished(async () => {
    await server.close();
    await handrail.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  const client = await signIn(server.newLink());
  await leaveWelcome(client);
  return { server, handrail, client, problems, stateFolder, webFolder };
}

export const newConversation = (client: WebClient): Promise<WebConversation> =>
  client.need('POST', '/api/conversations', {});
