/** What the first start and the pages Models, Backup and About ask of the server: contract/web-setup.ts. */
import type { Finding } from '../../contract/handrail.ts';
import type { FolderListing } from '../../contract/folders.ts';
import type { ModelSetup, ModelTrial, ModelTrialResult } from '../../contract/model-setup.ts';
import type { Backup } from '../../contract/upkeep.ts';
import type { Done } from '../../contract/web-api.ts';
import type {
  WebNewSecret,
  WebSecretKept,
  WebSecrets,
  WebUpkeep,
  WebWelcome,
  WebWelcomeChange,
} from '../../contract/web-setup.ts';
import { queryText, type Request } from './request.ts';

export type SetupApi = {
  /** Undefined: the home folder. */
  folders(path: string | undefined): Promise<FolderListing>;
  welcome(): Promise<WebWelcome>;
  changeWelcome(change: WebWelcomeChange): Promise<WebWelcome>;
  models(): Promise<ModelSetup>;
  tryModel(trial: ModelTrial): Promise<ModelTrialResult>;
  secrets(): Promise<WebSecrets>;
  keepSecret(secret: WebNewSecret): Promise<WebSecretKept>;
  forgetSecret(name: string): Promise<Done>;
  upkeep(): Promise<WebUpkeep>;
  backUp(): Promise<Backup>;
  findings(): Promise<readonly Finding[]>;
};

export function createSetupApi(request: Request): SetupApi {
  return {
    folders: (path) => request('GET', `/api/folders${queryText({ path })}`),
    welcome: () => request('GET', '/api/welcome'),
    changeWelcome: (change) => request('PATCH', '/api/welcome', change),
    models: () => request('GET', '/api/models'),
    tryModel: (trial) => request('POST', '/api/models/test', trial),
    secrets: () => request('GET', '/api/secrets'),
    keepSecret: (secret) => request('POST', '/api/secrets', secret),
    forgetSecret: (name) => request('DELETE', `/api/secrets/${encodeURIComponent(name)}`),
    upkeep: () => request('GET', '/api/upkeep'),
    backUp: () => request('POST', '/api/backups', {}),
    findings: () => request('GET', '/api/doctor'),
  };
}
