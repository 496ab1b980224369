/** Named hosts for ssh in the sandbox, in the sandbox's own ~/.ssh. */

export type SshHost = {
  readonly alias: string;
  readonly hostname: string;
  readonly user?: string;
  /** Omitted: 22. */
  readonly port?: number;
  /** As commands know it: absolute, `~/…`, or relative to ~/.ssh. */
  readonly identityFile?: string;
  /** A line of known_hosts (sshd(8)): names, type, key. */
  readonly knownHostLine?: string;
};

/** Rejects with ToolFailure: invalid_input, unavailable (outside a sandbox), failed. */
export type Ssh = {
  /** Writes or replaces the entry; a repeat changes nothing. */
  configure(host: SshHost): Promise<{
    readonly alias: string;
    readonly configChanged: boolean;
    readonly knownHostsChanged: boolean;
  }>;
};
