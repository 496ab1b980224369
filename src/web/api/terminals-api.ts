/** Terminals of people: contract/web-terminals.ts. */
import type { Done } from '../../contract/web-api.ts';
import type { WebTerminal, WebTerminalWish } from '../../contract/web-terminals.ts';
import type { Request } from './request.ts';

export type TerminalsApi = {
  open(wish: WebTerminalWish): Promise<WebTerminal>;
  /** Ends it with everything it has started. */
  end(terminal: WebTerminal): Promise<Done>;
};

export function createTerminalsApi(request: Request): TerminalsApi {
  return {
    open: (wish) => request('POST', '/api/terminals', wish),
    end: ({ conversation, name }) => request('POST', `/api/running/terminals/${conversation}/${name}/close`, {}),
  };
}
