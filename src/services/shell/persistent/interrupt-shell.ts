/** SIGINT to a command in a conversation's shell, given so that bash takes notice of it. */
import { setTimeout as delay } from 'node:timers/promises';
import { childrenOf, isEnding, sendSignal } from '../process-tree.ts';

export type Interrupted = {
  /** The shells that wait for what the command runs: the conversation's own, and copies of it. */
  shells(): readonly number[];
  /** What the command has started and what still lives of it. */
  left(): readonly number[];
  /** The command has ended: nothing is to be looked at any more. */
  isOver(): boolean;
};

/** Once more for those who did not hear: a trap that prints says it again then, but what goes on after that loses its shell. */
const repeatMs = 45;

/** As often as `times` says, while the command goes on. */
export async function interruptRepeatedly(interrupted: Interrupted, times: number): Promise<void> {
  for (let time = 1; time <= times && !interrupted.isOver(); time += 1) {
    await interruptCommand(interrupted);
    if (time < times) await delay(repeatMs, undefined, { ref: false });
  }
}

/** An unlucky moment passes as soon as the shell is given time by a busy machine. */
const maxRounds = 25;
const roundMs = 3;

/**
 * An interactive bash that gets SIGINT while it waits for a program believes that the program was to answer it: only if that one dies of
 * SIGINT does bash run the trap on INT, or give the loop up. When the program ends by itself in that very moment, or a next one is
 * started between our two signals, the signal is lost (bash 5.2, jobs.c, set_job_status_and_cleanup). So the shells stand
 * still while both are given, and not at a moment when a program has ended and its shell does not know it yet.
 */
async function interruptCommand({ shells, left, isOver }: Interrupted): Promise<void> {
  for (let round = 1; !isOver(); round += 1) {
    const waiting = shells();
    for (const pid of waiting) sendSignal(pid, 'SIGSTOP');
    const programs = left().filter((pid) => !waiting.includes(pid));
    // Last of all: to find them takes long where the whole machine is searched.
    const isGoodMoment = round === maxRounds || !waiting.some((pid) => (childrenOf(pid) ?? []).some(isEnding));
    if (isGoodMoment) for (const pid of [...programs, ...waiting]) sendSignal(pid, 'SIGINT');
    for (const pid of waiting) sendSignal(pid, 'SIGCONT');
    if (isGoodMoment) return;
    await delay(roundMs, undefined, { ref: false });
  }
}
