/** Everything that the pages ask of the server, by name. Paths and shapes stand in contract/web-api.ts. */
import type { ToolStatus } from '../../contract/handrail.ts';
import type { CallOutcome } from '../../contract/output.ts';
import type {
  Done,
  WebAnswer,
  WebConversation,
  WebConversationChange,
  WebConversationPage,
  WebConversationQuery,
  WebEventPage,
  WebEventQuery,
  WebNewCall,
  WebNewConversation,
  WebNewQueuedMessage,
  WebNewTurn,
  WebRemoval,
  WebSignIn,
  WebState,
  WebTurnStart,
} from '../../contract/web-api.ts';
import { queryText, type Request } from './request.ts';

export type ServerApi = {
  signIn(signIn: WebSignIn): Promise<Done>;
  state(): Promise<WebState>;
  tools(): Promise<readonly ToolStatus[]>;
  conversations: {
    list(query: WebConversationQuery): Promise<WebConversationPage>;
    create(conversation: WebNewConversation): Promise<WebConversation>;
    get(id: string): Promise<WebConversation>;
    change(id: string, change: WebConversationChange): Promise<WebConversation>;
    remove(id: string): Promise<WebRemoval>;
    restore(id: string): Promise<WebConversation>;
    /** A new one with what was said before that event. */
    branch(id: string, beforeSeq: number): Promise<WebConversation>;
    events(id: string, query: WebEventQuery): Promise<WebEventPage>;
    say(id: string, turn: WebNewTurn): Promise<WebTurnStart>;
    /** Said when the turn that runs has ended. */
    queue(id: string, message: WebNewQueuedMessage): Promise<Done>;
    changeQueued(id: string, messageId: string, text: string): Promise<Done>;
    removeQueued(id: string, messageId: string): Promise<Done>;
    releaseQueue(id: string): Promise<Done>;
    call(id: string, call: WebNewCall): Promise<CallOutcome>;
    stop(id: string): Promise<Done>;
    resume(id: string): Promise<Done>;
  };
  answer(questionId: string, answer: WebAnswer): Promise<Done>;
};

export function createServerApi(request: Request): ServerApi {
  const one = (id: string, rest = ''): string => `/api/conversations/${encodeURIComponent(id)}${rest}`;
  return {
    signIn: (signIn) => request('POST', '/api/session', signIn),
    state: () => request('GET', '/api/state'),
    tools: () => request('GET', '/api/tools'),
    conversations: {
      list: (query) => request('GET', `/api/conversations${queryText(query)}`),
      create: (conversation) => request('POST', '/api/conversations', conversation),
      get: (id) => request('GET', one(id)),
      change: (id, change) => request('PATCH', one(id), change),
      remove: (id) => request('DELETE', one(id)),
      restore: (id) => request('POST', one(id, '/restore'), {}),
      branch: (id, beforeSeq) => request('POST', one(id, '/branch'), { beforeSeq }),
      events: (id, query) => request('GET', one(id, `/events${queryText(query)}`)),
      say: (id, turn) => request('POST', one(id, '/turns'), turn),
      queue: (id, message) => request('POST', one(id, '/queue'), message),
      changeQueued: (id, messageId, text) => request('PATCH', one(id, `/queue/${messageId}`), { text }),
      removeQueued: (id, messageId) => request('DELETE', one(id, `/queue/${messageId}`)),
      releaseQueue: (id) => request('POST', one(id, '/queue-release'), {}),
      call: (id, call) => request('POST', one(id, '/calls'), call),
      stop: (id) => request('POST', one(id, '/stop'), {}),
      resume: (id) => request('POST', one(id, '/resume'), {}),
    },
    answer: (questionId, answer) => request('POST', `/api/questions/${encodeURIComponent(questionId)}/answer`, answer),
  };
}
