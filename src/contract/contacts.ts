/** Hosts that commands have reached, or tried to: what the proxy of the sandbox has recorded. */

export type Contact = {
  readonly conversationId: string;
  readonly host: string;
  readonly port: number;
  /** The address that was dialled. */
  readonly address?: string;
  /** `failed`: allowed, but not there. */
  readonly decision: 'allowed' | 'refused' | 'failed';
  readonly reason?: string;
  readonly bytesSent?: number;
  readonly bytesReceived?: number;
};

/** Equal contacts that follow each other closely are one entry. */
export type ContactEntry = Contact & {
  readonly at: string;
  readonly count: number;
  readonly bytesSent: number;
  readonly bytesReceived: number;
};
