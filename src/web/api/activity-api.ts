/** What the activity page asks of the server. Paths and shapes stand in contract/web-activity.ts and web-api.ts. */
import type { Costs } from '../../contract/handrail.ts';
import type { LedgerCount, LedgerEntry } from '../../contract/ledger.ts';
import type { WebHost, WebLedgerQuery, WebRunning } from '../../contract/web-activity.ts';
import type { Done } from '../../contract/web-api.ts';
import { queryText, type Request } from './request.ts';

export type ActivityApi = {
  ledger(query: WebLedgerQuery): Promise<readonly LedgerEntry[]>;
  count(query: WebLedgerQuery): Promise<LedgerCount>;
  /** Where the file with all of them is. */
  exportAddress(query: WebLedgerQuery, format: 'csv' | 'json'): string;
  hosts(days: number): Promise<readonly WebHost[]>;
  costs(days: number): Promise<Costs>;
  running(): Promise<WebRunning>;
  killJob(conversation: string, id: string): Promise<unknown>;
  closeShell(conversation: string): Promise<Done>;
  closeTerminal(conversation: string, name: string): Promise<Done>;
};

export function createActivityApi(request: Request): ActivityApi {
  const part = encodeURIComponent;
  return {
    ledger: (query) => request('GET', `/api/ledger${queryText(asText(query))}`),
    count: (query) => request('GET', `/api/ledger/count${queryText(asText(query))}`),
    exportAddress: (query, format) => `/api/ledger/export${queryText({ ...asText(query), format })}`,
    hosts: (days) => request('GET', `/api/hosts${queryText({ days })}`),
    costs: (days) => request('GET', `/api/costs${queryText({ days })}`),
    running: () => request('GET', '/api/running'),
    killJob: (conversation, id) => request('POST', `/api/jobs/${part(conversation)}/${part(id)}/kill`, {}),
    closeShell: (conversation) => request('POST', `/api/running/shells/${part(conversation)}/close`, {}),
    closeTerminal: (conversation, name) =>
      request('POST', `/api/running/terminals/${part(conversation)}/${part(name)}/close`, {}),
  };
}

/** A type alias of queries has no index signature. */
const asText = (query: WebLedgerQuery): Readonly<Record<string, string | number | undefined>> => ({ ...query });
