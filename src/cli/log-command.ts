/** `handrail log`: what was called, by whom, what was decided about it and why, and how it ended. */
import { escapeInvisible } from '../base/escape-invisible.ts';
import { oneLine } from '../base/one-line.ts';
import { MisuseFailure } from '../contract/failure.ts';
import type { LedgerEntry, LedgerFilter, LedgerOrigin } from '../contract/ledger.ts';
import type { CommandLine } from './face.ts';
import { printAll } from './print-all.ts';
import { showBytes, showDuration } from './show/amounts.ts';
import { cutToWidth, padToWidth } from './show/text-width.ts';

export type LogOptions = {
  readonly json?: boolean;
  readonly tool?: string;
  readonly conversation?: string;
  readonly since?: string;
  readonly failed?: boolean;
  readonly denied?: boolean;
  readonly origin?: LedgerOrigin;
  readonly limit?: number;
};

const narrowestScreen = 80;
/** What is shown of an id; `log show` takes it. */
const idChars = 8;

export async function listCalls(face: CommandLine, options: LogOptions): Promise<number> {
  const filter = filterOf(options, new Date());
  return withHandrail(face, async ({ ledger, listTools }) => {
    const tool = await toolNamed(filter.tool, listTools);
    const entries = await ledger.list(tool === undefined ? filter : { ...filter, tool });
    if (options.json === true) {
      await printAll(process.stdout, `${JSON.stringify({ calls: entries })}\n`);
      return 0;
    }
    if (entries.length === 0) process.stderr.write('No call fits.\n');
    const width = Math.max(process.stdout.columns ?? narrowestScreen, narrowestScreen);
    // The last one at the bottom, beside what was typed.
    await printAll(
      process.stdout,
      entries
        .toReversed()
        .map((entry) => `${callLine(entry, width)}\n`)
        .join(''),
    );
    return 0;
  });
}

export async function showCall(face: CommandLine, id: string, options: { readonly json?: boolean }): Promise<number> {
  return withHandrail(face, async ({ ledger }) => {
    const found = await ledger.find(id);
    const exact = found.filter((entry) => entry.callId === id);
    const [entry, ...others] = exact.length > 0 ? exact : found;
    if (entry === undefined)
      throw new MisuseFailure(`There is no call ${id.slice(0, 60)}. \`handrail log\` lists them.`);
    if (others.length > 0) {
      const ids = [entry, ...others].map((each) => each.callId).join(', ');
      throw new MisuseFailure(`Several calls end with ${id.slice(0, 60)}: ${ids}. Give more of its id.`);
    }
    const text = options.json === true ? JSON.stringify(entry) : callLines(entry).join('\n');
    await printAll(process.stdout, `${text}\n`);
    return 0;
  });
}

type Opened = Awaited<ReturnType<CommandLine['open']>>;

/** The ledger has the tool's own name, whatever it was called by. */
async function toolNamed(wanted: string | undefined, listTools: Opened['listTools']): Promise<string | undefined> {
  if (wanted === undefined) return undefined;
  return (await listTools()).find(({ name, aliases }) => name === wanted || aliases.includes(wanted))?.name ?? wanted;
}

async function withHandrail(face: CommandLine, work: (handrail: Opened) => Promise<number>): Promise<number> {
  const handrail = await face.open({ needsNoWorkspace: true });
  try {
    return await work(handrail);
  } finally {
    await handrail.close();
  }
}

function filterOf({ tool, conversation, origin, failed, denied, limit, since }: LogOptions, now: Date): LedgerFilter {
  return {
    ...(tool === undefined ? {} : { tool }),
    ...(conversation === undefined ? {} : { conversationId: conversation }),
    ...(origin === undefined ? {} : { origin }),
    ...(failed === undefined ? {} : { failed }),
    ...(denied === undefined ? {} : { denied }),
    ...(limit === undefined ? {} : { limit }),
    ...(since === undefined ? {} : { since: momentOf(since, now) }),
  };
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `2h` before now, or a date as ISO 8601 writes it, in the time of this place unless it says another. */
function momentOf(text: string, now: Date): string {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const date =
    count === undefined
      ? new Date(isDay ? `${text}T00:00` : text)
      : new Date(now.getTime() - Number(count) * (unitsMs[unit] ?? 0));
  const isDate = count !== undefined || /^\d{4}-\d{2}-\d{2}/.test(text);
  if (isDate && !Number.isNaN(date.getTime())) return date.toISOString();
  throw new MisuseFailure(
    `"${text.slice(0, 40)}" is no time: write 30m, 2h, 7d, or a date like 2026-03-01 or 2026-03-01T09:30.`,
  );
}

/** When, id, what became of it, how long, the tool, and what it was to do: in 80 columns. */
function callLine(entry: LedgerEntry, width: number): string {
  const { callId, tool, summary, startedAt, end } = entry;
  const state = end === undefined ? 'no end' : end.ok ? 'ok' : (end.errorCode ?? 'failed');
  const took = end === undefined ? '' : showDuration(end.durationMs);
  const fields = [localTime(startedAt), callId.slice(-idChars), padToWidth(cutToWidth(state, 9), 9), took.padStart(6)];
  const what = `${tool}${summary === '' ? '' : ` ${summary}`}`;
  const line = `${fields.join('  ')}  ${escapeInvisible(oneLine(what), 'nothing')}`;
  return cutToWidth(line, width);
}

function callLines(entry: LedgerEntry): readonly string[] {
  const { callId, conversationId, tool, origin, summary, input, startedAt, end, costUsd } = entry;
  const field = (name: string, value: string): string => `${`${name}:`.padEnd(14)}${escapeInvisible(value)}`;
  return [
    field('call', callId),
    field('conversation', conversationId),
    field('tool', tool),
    field('asked for by', originText[origin]),
    field(
      'when',
      `${localTime(startedAt)}${end === undefined ? ', and it has no end' : `, ${showDuration(end.durationMs)}`}`,
    ),
    ...(summary === '' ? [] : [field('what', summary)]),
    field('arguments', input),
    ...(end === undefined ? [] : [field('decision', `${end.verdict}: ${end.reason}`), field('end', endText(end))]),
    ...(costUsd === undefined
      ? []
      : [field('cost', `about $${costUsd.toPrecision(2)}, for the request that asked for it`)]),
    ...(end === undefined || end.resultHead === '' ? [] : ['', escapeInvisible(end.resultHead)]),
  ];
}

const originText: Readonly<Record<LedgerOrigin, string>> = {
  model: 'a model',
  user: 'you, by typing it',
  mcp: 'an MCP client',
  library: 'a program (handrail run, or the library)',
};

function endText({ ok, errorCode, resultBytes }: NonNullable<LedgerEntry['end']>): string {
  return `${ok ? 'ok' : (errorCode ?? 'failed')}, a result of ${showBytes(resultBytes)}`;
}

/** "03-04 05:06:07", in the time of this place. */
function localTime(iso: string): string {
  const date = new Date(iso);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}
