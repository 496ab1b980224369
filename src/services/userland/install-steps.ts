/** What the steps of an installation share: who they work for, how they tell of their progress, and how a failure is told. */
import { ToolFailure } from '../../contract/failure.ts';
import type { UserlandProgress, UserlandStep, UserlandWatch } from '../../contract/userland.ts';
import type { readMachineApt } from './machine-apt.ts';
import type { MirrorClient } from './mirror-client.ts';
import type { RunInTree } from './run-in-tree.ts';
import type { UserlandStore } from './userland-store.ts';

export type InstallContext = {
  readonly store: UserlandStore;
  readonly run: RunInTree;
  readonly client: MirrorClient;
  /** Of Alpine, in their order; `authority`: the host whose word about checksums counts, over TLS. */
  readonly mirrors: readonly string[];
  readonly authority: string;
  readonly dns: readonly string[];
  /** Omitted: what the machine's apt knows. */
  readonly readApt?: typeof readMachineApt;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: UserlandProgress) => void;
  readonly onOutput?: (text: string) => void;
  readonly now: () => Date;
};

const advice: Readonly<Record<UserlandStep, string>> = {
  look: 'Look at the network and at sandbox.userland.mirrors in the settings, then run the same command again.',
  download: 'Run the same command again: what has come already is kept.',
  verify: 'Run the same command again; if it stays so, name other mirrors in sandbox.userland.mirrors.',
  unpack: 'Look at the free space, then run the same command again: it starts this step afresh.',
  repositories:
    'Look at the network of the sandbox (sandbox.network.mode), then run the same command again: it goes on here.',
  packages: 'Run the same command again: it goes on here.',
  remove: 'Look at who uses the files, then run the same command again.',
  ready: 'Run the same command again.',
};

/** Says which step failed and what to do; a cancelled one stays cancelled. */
export async function inStep<T>(step: UserlandStep, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolFailure) {
      if (error.code === 'cancelled' || error.message.startsWith('The step ')) throw error;
      throw new ToolFailure(error.code, `The step "${step}" failed: ${withDot(error.message)} ${advice[step]}`, {
        cause: error,
      });
    }
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === 'ENOSPC' ? 'the disk is full' : (message ?? String(error));
    throw new ToolFailure('failed', `The step "${step}" failed: ${withDot(why)} ${advice[step]}`, { cause: error });
  }
}

/** Tells of whole percents only, each once. */
export function percentTeller(
  { onProgress }: Pick<InstallContext, 'onProgress'>,
  step: UserlandStep,
): (progress: {
  readonly text: string;
  readonly done: number;
  readonly total?: number;
  readonly mirror?: string;
}) => void {
  let last = -1;
  return ({ text, done, total, mirror }) => {
    const percent = total === undefined || total <= 0 ? undefined : Math.min(100, Math.floor((done / total) * 100));
    if (percent !== undefined && percent === last) return;
    if (percent === undefined && last !== -1) return;
    last = percent ?? 0;
    onProgress({
      step,
      text,
      ...(percent === undefined ? {} : { percent }),
      ...(mirror === undefined ? {} : { mirror }),
    });
  };
}

export const noWatch: UserlandWatch = {};

export const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

const withDot = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
