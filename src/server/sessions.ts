/** Who may use the web app: browsers that opened a one-time link or gave the password. Of their cookies only hashes are kept. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { readSessions, writeSessions, type KeptSession } from './session-file.ts';

export type Sessions = {
  /** The secret part of a link that signs one browser in, once. */
  newLink(): string;
  /** The value of a new cookie; undefined when the link is none, was used, or is too old. */
  redeem(token: string): string | undefined;
  begin(): string;
  isValid(value: string | undefined): boolean;
  end(value: string | undefined): void;
};

export const linkMinutes = 10;
export const sessionDays = 90;
const maxSessions = 50;
const maxLinks = 20;
const dayMs = 24 * 3_600_000;

export function createSessions(file: string, now: () => number = Date.now): Sessions {
  let kept = readSessions(file).filter(isFresh);
  let links: readonly { readonly hash: string; readonly until: number }[] = [];

  function isFresh({ usedAt }: KeptSession): boolean {
    return now() - Date.parse(usedAt) < sessionDays * dayMs;
  }

  function keep(sessions: readonly KeptSession[]): void {
    writeSessions(file, sessions);
    kept = [...sessions];
  }

  function begin(): string {
    const value = newSecret();
    const at = new Date(now()).toISOString();
    keep([{ hash: hashOf(value), createdAt: at, usedAt: at }, ...kept.filter(isFresh)].slice(0, maxSessions));
    return value;
  }

  return {
    begin,
    newLink() {
      const token = newSecret();
      links = [{ hash: hashOf(token), until: now() + linkMinutes * 60_000 }, ...links].slice(0, maxLinks);
      return token;
    },
    redeem(token) {
      const found = links.find(({ hash, until }) => until > now() && isSame(hash, hashOf(token)));
      if (found === undefined) return undefined;
      links = links.filter((link) => link !== found);
      return begin();
    },
    isValid(value) {
      if (value === undefined) return false;
      const hash = hashOf(value);
      const found = kept.find((session) => isSame(session.hash, hash));
      if (found === undefined || !isFresh(found)) return false;
      if (now() - Date.parse(found.usedAt) > dayMs) {
        const usedAt = new Date(now()).toISOString();
        keep(kept.map((session) => (session === found ? { ...session, usedAt } : session)));
      }
      return true;
    },
    end(value) {
      if (value === undefined) return;
      const hash = hashOf(value);
      keep(kept.filter((session) => !isSame(session.hash, hash)));
    },
  };
}

/** 256 random bits: cannot be guessed, so a fast hash of it gives nothing away. */
const newSecret = (): string => randomBytes(32).toString('base64url');

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex');

/** In a time that tells nothing about where they differ. */
export function isSame(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
