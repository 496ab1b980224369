/** The chat's own commands. */
import { showBytes } from '../show/amounts.ts';
import { cleanLine } from '../show/clean-text.ts';
import { line, span, type Line, type Mark } from '../show/span.ts';
import { padToWidth } from '../show/text-width.ts';
import { outcomeLines } from '../show/view-lines.ts';
import type { ChatParts } from './chat-parts.ts';
import { chooseConversation, openConversation, startAfresh } from './conversations.ts';
import { rungName } from './input-lines.ts';
import { chooseModel, useModel } from './models.ts';
import { dimNotice, problemLines, problemNotice, say } from './notices.ts';
import { openPicker } from './picker.ts';
import type { CallState } from './screen.ts';
import { slashCommands, type SlashName } from './slash-commands.ts';

/** Failures are said, never thrown. */
export async function runSlash(parts: ChatParts, name: SlashName, rest: string): Promise<void> {
  try {
    await run(parts, name, rest);
  } catch (error) {
    say(parts.store, problemNotice(error));
  }
}

async function run(parts: ChatParts, name: SlashName, rest: string): Promise<void> {
  switch (name) {
    case 'help':
      return say(parts.store, helpLines());
    case 'model':
      return rest === '' ? chooseModel(parts) : useModel(parts, rest);
    case 'tools':
      return say(parts.store, toolLines(parts, rest));
    case 'show':
      return say(parts.store, shownCall(parts, rest));
    case 'new':
      return startAfresh(parts);
    case 'resume':
      return rest === '' ? chooseConversation(parts) : openConversation(parts, rest);
    case 'grants':
      return chooseGrant(parts);
    case 'rung':
      return say(parts.store, [[span('Sandbox: ', 'dim'), span(rungName(await parts.handrail.rung()))]]);
    case 'doctor':
      return examine(parts);
    case 'quit':
      return parts.leave(0);
  }
}

function helpLines(): readonly Line[] {
  const row = (what: string, does: string): Line => [
    span('  '),
    span(padToWidth(what, 22), 'accent'),
    span(does, 'dim'),
  ];
  return [
    line('Type', 'bold'),
    row('a message', 'the model answers, with tools'),
    row('!command', 'runs it in the sandbox; typing it allows it'),
    row('/tool key=value', 'calls a tool; {json} works too, Tab completes'),
    ...slashCommands.map(({ name, usage, does }) => row(`/${name}${usage === '' ? '' : ` ${usage}`}`, does)),
    line('Keys', 'bold'),
    row('Enter', 'send; while something runs: send afterwards'),
    row('Alt-Enter, \\ Enter', 'a new line'),
    row('↑ ↓', 'what you sent before'),
    row('Ctrl-C', 'stop; a second one leaves'),
    row('Ctrl-D', 'leave, when nothing is typed'),
  ];
}

function toolLines(parts: ChatParts, name: string): readonly Line[] {
  const { tools } = parts.store.get();
  if (name !== '') {
    const tool = tools.find((each) => each.name === name.replace(/^\//, '') || each.aliases.includes(name));
    if (tool === undefined) return problemLines(`There is no tool "${name}". /tools lists them.`);
    return [
      [span(tool.name, 'accent'), span(`  ${cleanLine(tool.title)}`, 'bold')],
      ...dimNotice(tool.description),
      ...argumentLines(tool.inputSchema),
      ...(tool.isEnabled ? [] : [line(`Not available: ${cleanLine(tool.reason)}`, 'ask')]),
    ];
  }
  const groups = [...new Set(tools.map((tool) => tool.group))];
  const width = Math.max(0, ...tools.map((tool) => tool.name.length)) + 2;
  return groups.flatMap((group) => [
    line(group, 'bold'),
    ...tools
      .filter((tool) => tool.group === group)
      .map((tool): Line => {
        const aside = tool.isEnabled ? [] : [span(` · ${cleanLine(tool.reason)}`, 'ask')];
        return [
          span('  '),
          span(padToWidth(tool.name, width), tool.isEnabled ? 'accent' : 'dim'),
          span(cleanLine(tool.title), 'dim'),
          ...aside,
        ];
      }),
  ]);
}

function argumentLines(schema: Readonly<Record<string, unknown>>): readonly Line[] {
  const properties = schema['properties'];
  const required = new Set(Array.isArray(schema['required']) ? schema['required'].map(String) : []);
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties).map(([name, value]): Line => {
    const description =
      typeof value === 'object' && value !== null && 'description' in value ? String(value.description) : '';
    const need = required.has(name) ? 'needed' : '';
    return [
      span('  '),
      span(padToWidth(name, 18), 'accent'),
      span(padToWidth(need, 7), 'ask'),
      span(cleanLine(description), 'dim'),
    ];
  });
}

/** Everything of one result; a count from the end. */
function shownCall(parts: ChatParts, rest: string): readonly Line[] {
  const calls = parts.store
    .get()
    .screen.items.flatMap((item): CallState[] => (item.kind === 'call' ? [item.call] : []));
  const back = rest === '' ? 1 : Number(rest);
  const call = Number.isInteger(back) && back > 0 ? calls.at(-back) : undefined;
  if (call === undefined)
    return problemLines(
      calls.length === 0 ? 'Nothing was called yet.' : `Give a number from 1 (the last call) to ${calls.length}.`,
    );
  const artifact = call.outcome?.artifact;
  return [
    [span(cleanLine(call.title), 'bold'), span(`  ${cleanLine(call.tool)}`, 'dim')],
    ...dimNotice(call.input),
    ...(call.decision === undefined
      ? []
      : [line(`${call.decision.verdict}: ${cleanLine(call.decision.reason)}`, 'dim')]),
    ...(call.outcome === undefined ? [] : outcomeLines(call.outcome, 200)),
    ...(artifact === undefined
      ? []
      : [line(`The whole result (${showBytes(artifact.bytes)}) is kept in ${cleanLine(artifact.path)}`, 'dim')]),
  ];
}

async function chooseGrant(parts: ChatParts): Promise<void> {
  const grants = await parts.handrail.grants.list(parts.store.get().conversationId);
  if (grants.length === 0) return say(parts.store, dimNotice('Nothing is allowed beyond the defaults.'));
  openPicker(parts.store, {
    title: 'Allowed by you',
    verb: 'revoke',
    items: grants.map((grant) => ({
      label: cleanLine(`${grant.tool}: ${grant.pattern}`),
      detail: `${grant.scope === 'conversation' ? 'in this chat' : 'always'}${grant.expiresAt === undefined ? '' : ` until ${cleanLine(grant.expiresAt.slice(0, 16))} UTC`}`,
      value: grant.id,
    })),
    choose: (item) => {
      void parts.handrail.grants.revoke(item.value).then(
        (found) =>
          say(parts.store, dimNotice(found ? `Revoked: ${item.label}` : `It was revoked before: ${item.label}`)),
        (error: unknown) => say(parts.store, problemNotice(error)),
      );
    },
  });
}

async function examine(parts: ChatParts): Promise<void> {
  const signs: Readonly<Record<string, readonly [string, Mark]>> = {
    good: ['✓', 'dim'],
    warning: ['●', 'ask'],
    bad: ['✗', 'bad'],
  };
  const findings = await parts.handrail.examine();
  say(
    parts.store,
    findings.flatMap((finding): Line[] => {
      const [sign, mark] = signs[finding.state] ?? ['✗', 'bad'];
      const fix = finding.fix === undefined ? [] : [[span('    '), span(cleanLine(finding.fix), 'accent')]];
      return [
        [span(`${sign} `, mark), span(`${cleanLine(finding.area)}: `, 'dim'), span(cleanLine(finding.text))],
        ...fix,
      ];
    }),
  );
}
