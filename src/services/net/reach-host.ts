/** The one way out: a host is decided on, asked about, looked up, judged by its addresses and dialled, in this order. */
import type { Socket } from 'node:net';
import type { ContactLog } from './contact-log.ts';
import { decideHost, type HostRules, notListed, type Refusal } from './decide-host.ts';
import type { Dial } from './dial.ts';
import { findAddresses, type LookUp } from './find-addresses.ts';
import type { AddressClass } from './address-class.ts';
import { patternForbids } from './host-pattern.ts';
import type { HostAsker, HostQuestions } from './host-questions.ts';
import { describeTarget, type Target } from './read-target.ts';

export type Reached =
  | { readonly socket: Socket; readonly address: string }
  | { readonly refusal: Refusal }
  /** Allowed, but it is not there. */
  | { readonly failure: string };

export type Reach = {
  reach(target: Target): Promise<Reached>;
  /**
   * Whether a tunnel to `target` may carry a talk with the host that its TLS names. Nobody is asked. What was allowed by its
   * address may call itself what it likes, except what is forbidden.
   */
  mayName(named: Target, target: Target): Promise<boolean>;
};

export type ReachOptions = {
  readonly conversationId: string;
  /** As they are now. Where packages come from takes a moment to find out, and is only wanted when nothing else decides. */
  readonly rules: (withPackages: boolean) => Promise<HostRules>;
  readonly questions: HostQuestions;
  /** Who can be asked right now. */
  readonly asker: () => HostAsker | undefined;
  /** Who could be asked last: whose yes may hold no more. */
  readonly lastAsker: () => HostAsker | undefined;
  readonly contacts: ContactLog;
  readonly onRefused: (target: Target, refusal: Refusal) => void;
  readonly onReached: (target: Target) => void;
  readonly lookUp: LookUp;
  readonly dial: Dial;
  readonly classify?: (address: string) => AddressClass;
  readonly decide?: typeof decideHost;
};

export function createReach(options: ReachOptions): Reach {
  const { conversationId, questions, contacts } = options;
  const decide = options.decide ?? decideHost;

  async function rulesFor(target: Target): Promise<HostRules> {
    const rules = await options.rules(false);
    return decide(target, rules).verdict === 'ask' ? options.rules(true) : rules;
  }

  async function admit(target: Target, rules: HostRules): Promise<{ isListed: boolean } | { refusal: Refusal }> {
    const usual = decide(target, rules);
    if (usual.verdict === 'allow') return usual;
    if (usual.verdict === 'deny') return { refusal: usual };
    // An address is judged before anybody is bothered with it; a name is not looked up for that: the question itself would leak.
    if (target.isAddress) {
      const found = await findAddresses(target, addressRules(rules, false), options.lookUp);
      if ('refusal' in found) return found;
    }
    const answer = await questions.ask(target, options.asker(), options.lastAsker());
    if (answer === undefined) return { refusal: notListed(target, ' and nobody can be asked') };
    return answer.isAllowed ? { isListed: false } : { refusal: notListed(target, `: ${answer.reason}`) };
  }

  const addressRules = (rules: HostRules, isListed: boolean) => ({
    allowPrivate: rules.allowPrivate,
    isListed,
    isForbidden: (address: string) =>
      rules.deny.some((pattern) =>
        patternForbids(pattern, { host: address, port: pattern.port ?? 0, isAddress: true }),
      ),
    ...(options.classify === undefined ? {} : { classify: options.classify }),
  });

  function refuse(target: Target, refusal: Refusal): { refusal: Refusal } {
    contacts.add({ conversationId, ...target, decision: 'refused', reason: refusal.reason });
    options.onRefused(target, refusal);
    return { refusal };
  }

  return {
    async reach(target) {
      const rules = await rulesFor(target);
      const admitted = await admit(target, rules);
      if ('refusal' in admitted) return refuse(target, admitted.refusal);
      const found = await findAddresses(target, addressRules(rules, admitted.isListed), options.lookUp);
      if ('refusal' in found) return refuse(target, found.refusal);
      if ('failure' in found) {
        contacts.add({ conversationId, ...target, decision: 'failed', reason: 'not found' });
        return found;
      }
      try {
        const socket = await options.dial(found.addresses, target.port);
        options.onReached(target);
        const address = socket.remoteAddress ?? found.addresses[0] ?? '';
        socket.once('close', () =>
          contacts.add({
            ...{ conversationId, ...target, address, decision: 'allowed' },
            bytesSent: socket.bytesWritten,
            bytesReceived: socket.bytesRead,
          }),
        );
        return { socket, address };
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? 'no connection';
        contacts.add({ conversationId, ...target, decision: 'failed', reason: code });
        return { failure: `${describeTarget(target)} could not be connected to (${code})` };
      }
    },
    async mayName(named, target) {
      if (named.host === target.host) return true;
      const rules = await rulesFor(named);
      if (target.isAddress) return !rules.deny.some((pattern) => patternForbids(pattern, named));
      const usual = decide(named, rules);
      return (
        usual.verdict === 'allow' ||
        (usual.verdict === 'ask' && (await questions.answered(named, options.lastAsker()))?.isAllowed === true)
      );
    },
  };
}
