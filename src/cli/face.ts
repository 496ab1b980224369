/** What the terminal face is given: makers of the things it may not import. */
import type { Handrail } from '../contract/handrail.ts';
import type { ApproveMode } from '../contract/permission.ts';

export type OpenOptions = {
  /** Omitted: the current directory. */
  readonly workspace?: string;
  /** Opens although nothing may be possible: for `doctor` and `secrets`. Omitted: false. */
  readonly needsNoWorkspace?: boolean;
  /** Opens although the settings cannot be used: for `doctor`. Omitted: false. */
  readonly onlyLooks?: boolean;
};

export type CommandLine = {
  readonly version: string;
  open(options: OpenOptions): Promise<Handrail>;
  serveMcp(options: {
    readonly handrail: Handrail;
    readonly approve: ApproveMode;
    readonly tools?: readonly string[];
    readonly onProblem: (line: string) => void;
  }): Promise<void>;
  /** The server of the web app. Rejects with MisuseFailure or SetupFailure when the address or the port cannot be had. */
  serveWeb(options: {
    readonly handrail: Handrail;
    readonly host: string;
    readonly port: number;
    readonly names: readonly string[];
    readonly password?: string;
    readonly onProblem: (line: string) => void;
  }): Promise<ServedWeb>;
};

export type ServedWeb = {
  readonly url: string;
  /** Another process of this state folder serves there already: it goes on, whatever becomes of this one. */
  readonly isElsewhere: boolean;
  /** Signs one browser in, once. */
  newLink(): string;
  /** The path of a short-lived file that leads a browser to a link of its own. */
  linkPage(): string;
  close(): Promise<void>;
};

/** Options as commander hands them over. */
export type PlaceOptions = {
  readonly workspace?: string;
  readonly conversation?: string;
  readonly approve?: ApproveMode;
};
