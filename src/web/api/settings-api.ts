/** What the settings' pages ask of the server: contract/web-settings.ts. */
import type { JsonSchema } from '../../contract/model.ts';
import type { Done } from '../../contract/web-api.ts';
import type { WebConfirmation, WebSettings, WebSettingsChange } from '../../contract/web-settings.ts';
import type { Request } from './request.ts';

export type SettingsApi = {
  read(): Promise<WebSettings>;
  change(change: WebSettingsChange): Promise<WebSettings>;
  schema(): Promise<JsonSchema>;
  confirm(confirmation: WebConfirmation): Promise<Done>;
};

export function createSettingsApi(request: Request): SettingsApi {
  return {
    read: () => request('GET', '/api/settings'),
    change: (change) => request('PATCH', '/api/settings', change),
    schema: () => request('GET', '/api/settings/schema'),
    confirm: (confirmation) => request('POST', '/api/confirmations', confirmation),
  };
}
