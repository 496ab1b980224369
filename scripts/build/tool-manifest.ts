/** The descriptors of all tools as one JSON file, so that a start imports no tool. */
import { pathToFileURL } from 'node:url';
import type { Tool, ToolDescriptor } from '../../src/contract/tool.ts';
import { describeTool } from '../../src/executor/describe-tool.ts';
import { listToolFiles } from '../../src/executor/discover.ts';

export async function writeToolManifest(toolsFolder: string): Promise<string> {
  return `${JSON.stringify(await describeTools(toolsFolder))}\n`;
}

/** Sorted by group and name. */
export async function describeTools(toolsFolder: string): Promise<ToolDescriptor[]> {
  const descriptors: ToolDescriptor[] = [];
  for (const { group, name, file } of await listToolFiles(toolsFolder)) {
    const module = (await import(pathToFileURL(file).href)) as { readonly default?: Tool };
    if (typeof module.default?.run !== 'function') throw new Error(`${file}: its default export must be a tool`);
    descriptors.push(describeTool(name, group, module.default));
  }
  return descriptors;
}
