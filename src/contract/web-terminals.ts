/**
 * Terminals of people in the web app: real ones, by their keeper, which outlives pages and the server.
 *
 * | method and path | takes | gives |
 * |---|---|---|
 * | POST /api/terminals | WebTerminalWish | WebTerminal: opened where there is none, or where its program has ended |
 * | GET /api/terminals/:conversation/:name/socket | an upgrade to WebSocket | see below |
 * | POST /api/running/terminals/:conversation/:name/close | | Done (contract/web-activity.ts) |
 *
 * The socket: binary messages are what is typed and what is printed, as bytes; text messages are one TerminalPageMessage or
 * TerminalServerMessage each, as JSON. After connecting comes `begin`, then what was printed last. Whoever sees it confirms what
 * was drawn by `seen`: a page that falls too far behind is given `begin` again, with the newest state, and not what lies between.
 * Several pages may look at one terminal: it has the size of the page that opened, resized or typed last, and all are told.
 */

export type WebTerminalWish = {
  /** `temporary`: a scratch shell of no chat, which ends with the server. `session`: beside the shell of a conversation. */
  readonly kind: 'session' | 'temporary';
  /** For `session`: whose. */
  readonly conversation?: string;
  readonly columns: number;
  readonly rows: number;
};

/** What its socket's address is made of. */
export type WebTerminal = { readonly conversation: string; readonly name: string };

export type TerminalPageMessage =
  | { readonly type: 'size'; readonly columns: number; readonly rows: number }
  /** Bytes drawn since the last `begin`, in all. */
  | { readonly type: 'seen'; readonly bytes: number };

export type TerminalServerMessage =
  /** What was shown so far is void; the state follows as bytes. */
  | { readonly type: 'begin' }
  | { readonly type: 'size'; readonly columns: number; readonly rows: number }
  /** Its program has ended; the socket is closed then. Null: nobody knows how. */
  | { readonly type: 'exit'; readonly exitCode: number | null };
