/** What pages ask of the sandbox itself. Paths and shapes stand in contract/web-sandbox.ts. */
import type { UserlandPackage } from '../../contract/userland.ts';
import type { Done } from '../../contract/web-api.ts';
import type { WebNewSandboxWork, WebSandbox, WebSandboxAction, WebSandboxWork } from '../../contract/web-sandbox.ts';
import { queryText, type Request } from './request.ts';

export type SandboxApi = {
  look(): Promise<WebSandbox>;
  /** `search` empty: those that are installed. */
  packages(search: string): Promise<readonly UserlandPackage[]>;
  begin(action: WebSandboxAction): Promise<WebSandboxWork>;
  stop(): Promise<Done>;
  /** How it ended was seen. */
  forget(): Promise<Done>;
};

/** `conversation`: whose sandbox. Undefined: that of new conversations. */
export function createSandboxApi(request: Request, conversation: string | undefined): SandboxApi {
  const whose = conversation === undefined ? {} : { conversation };
  return {
    look: () => request('GET', `/api/sandbox${queryText(whose)}`),
    packages: (search) => request('GET', `/api/sandbox/packages${queryText({ ...whose, search })}`),
    begin: (action) => request('POST', '/api/sandbox/work', { ...whose, action } satisfies WebNewSandboxWork),
    stop: () => request('POST', '/api/sandbox/work/stop', {}),
    forget: () => request('DELETE', '/api/sandbox/work'),
  };
}
