/** Notifications: short lines that reach a person who is not looking, on the desktop and on signed-in pages. */

export type PersonNotice = {
  readonly id: string;
  readonly title: string;
  readonly message: string;
  /** Where it came up. Omitted: nowhere that could be opened. */
  readonly conversationId?: string;
};

/** `desktop`: the machine's own. `browser`: a page that is signed in to the server of this process. */
export type NotificationWay = 'desktop' | 'browser';

/** The hand of a call. Rejects with ToolFailure: invalid_input (nothing to say), busy (too many), unavailable (nobody can be reached). */
export type Notifications = {
  /** One line each; longer texts are cut, and control characters taken out. */
  send(notice: { readonly title: string; readonly message: string }): Promise<{
    readonly id: string;
    readonly ways: readonly NotificationWay[];
  }>;
};

/** Whoever can show notices; gives back how many it reached. */
export type NoticeListener = (notice: PersonNotice) => number;

export type NotificationFeed = {
  /** Returns the function that ends it. */
  follow(listener: NoticeListener): () => void;
};
