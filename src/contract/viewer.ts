/** Showing one file to the person, in a page that is open or by the desktop of this machine. */

export type ViewWay = 'browser' | 'desktop' | 'none';

/** The hand of a call. Rejects with ToolFailure as Files does. */
export type Viewer = {
  /** `path`: as the files service takes it; must have been checked. `none`: nobody looks, and there is no desktop. */
  show(path: string): Promise<{ readonly way: ViewWay }>;
};

export type FileToView = {
  /** Another one for each call. */
  readonly id: string;
  readonly conversationId: string;
  readonly path: string;
};

/** Whoever can show files; gives back how many pages show it. */
export type ViewListener = (file: FileToView) => number;

export type ViewingFeed = {
  /** Returns the function that ends it. */
  follow(listener: ViewListener): () => void;
};
