/** `handrail tools enable|disable`: the switch of one tool, kept in settings.json. */
import { editDistance } from '../base/edit-distance.ts';
import { MisuseFailure } from '../contract/failure.ts';
import type { ToolStatus } from '../contract/handrail.ts';
import type { CommandLine } from './face.ts';

export async function switchTool(face: CommandLine, name: string, isOn: boolean): Promise<number> {
  const before = await face.open({ needsNoWorkspace: true });
  let id = name;
  try {
    id = findTool(await before.listTools(), name);
    await before.switchTool(id, isOn);
  } finally {
    await before.close();
  }
  // What holds now is what another start sees: another switch may keep the tool off, or the change wait for a yes.
  const after = await face.open({ needsNoWorkspace: true });
  try {
    const tool = (await after.listTools()).find((each) => each.name === id);
    const state = tool?.isEnabled === true ? 'on' : `off: ${tool?.reason ?? 'it is gone'}`;
    process.stdout.write(`${id} is ${state}\n`);
    for (const line of after.confirmations.pending()) process.stderr.write(`${line}\n`);
    return 0;
  } finally {
    await after.close();
  }
}

function findTool(tools: readonly ToolStatus[], name: string): string {
  const wanted = name.toLowerCase();
  const tool = tools.find((each) => each.name === wanted) ?? tools.find((each) => each.aliases.includes(wanted));
  if (tool === undefined) throw new MisuseFailure(`There is no tool "${name.slice(0, 60)}".${hint(wanted, tools)}`);
  if (tool.hasSwitch !== false) return tool.name;
  throw new MisuseFailure(
    `${tool.name} has no switch of its own: it is on and off with its family (settings key features.*).`,
  );
}

function hint(wanted: string, tools: readonly ToolStatus[]): string {
  const [near] = tools
    .map(({ name }) => ({ name, distance: editDistance(wanted.slice(0, 60), name) }))
    .sort((left, right) => left.distance - right.distance);
  return near === undefined || near.distance > 3 ? ' `handrail tools` lists them.' : ` Did you mean ${near.name}?`;
}
