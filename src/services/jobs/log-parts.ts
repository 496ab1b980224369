/** The files of a log: each is named by the byte and the line it begins with, so that they need no index. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type PartStart = {
  readonly startByte: number;
  /** How many line ends come before it. */
  readonly startLine: number;
};

/** Bytes without a gap in them. */
export type LogSegment = PartStart & { readonly bytes: Buffer };

const pattern = /^log-(\d{1,15})-(\d{1,15})\.txt$/;
/** Parts are dropped while a busy job prints; another look finds the newer ones. */
const maxLooks = 20;

export const partName = ({ startByte, startLine }: PartStart): string => `log-${startByte}-${startLine}.txt`;

/** How much the job has printed, as far as the log shows. */
export function countLogBytes(folder: string): number {
  for (let look = 0; look < maxLooks; look += 1) {
    const last = listParts(folder).at(-1);
    if (last === undefined) return 0;
    const size = statSync(join(folder, last.name), { throwIfNoEntry: false })?.size;
    if (size !== undefined) return last.startByte + size;
  }
  return 0;
}

/** In order; parts that meet are one segment. */
export function readSegments(folder: string): readonly LogSegment[] {
  for (let look = 1; ; look += 1) {
    try {
      const parts = listParts(folder).map((part) => ({ ...part, bytes: readFileSync(join(folder, part.name)) }));
      return joinParts(parts);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || look === maxLooks) throw error;
    }
  }
}

function joinParts(parts: readonly LogSegment[]): readonly LogSegment[] {
  const groups: LogSegment[][] = [];
  let endByte = -1;
  for (const part of parts) {
    if (part.startByte === endByte) groups.at(-1)?.push(part);
    else groups.push([part]);
    endByte = part.startByte + part.bytes.length;
  }
  return groups.map((group) => ({
    startByte: group[0]?.startByte ?? 0,
    startLine: group[0]?.startLine ?? 0,
    bytes: group.length === 1 && group[0] !== undefined ? group[0].bytes : Buffer.concat(group.map((one) => one.bytes)),
  }));
}

function listParts(folder: string): readonly (PartStart & { readonly name: string })[] {
  return readdirSync(folder)
    .map((name) => ({ name, match: pattern.exec(name) }))
    .filter(({ match }) => match !== null)
    .map(({ name, match }) => ({ name, startByte: Number(match?.[1]), startLine: Number(match?.[2]) }))
    .toSorted((first, second) => first.startByte - second.startByte);
}
