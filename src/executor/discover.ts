/** Finds tools by their place on disk: `<folder>/<group>/<tool-name>.ts`, or the manifest that the build made of them. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tool, ToolDescriptor } from '../contract/tool.ts';
import type { ToolRegistry } from './registry.ts';

/** Written by the build beside the bundled tools, so that a start imports none of them. */
const manifestName = 'manifest.json';

/** Adds every tool below `toolsFolder`, and those that a library user hands over by wire name (`own`). Throws when a file is no tool: a release with a broken tool must not start quietly. */
export async function discoverTools(
  toolsFolder: string,
  registry: ToolRegistry,
  own: Readonly<Record<string, Tool>> = {},
): Promise<void> {
  await addFound(toolsFolder, registry);
  if (Object.keys(own).length === 0) return;
  const { describeTool } = await import('./describe-tool.ts');
  // A name that is taken throws: a built-in tool cannot be shadowed.
  for (const [name, tool] of Object.entries(own)) registry.add(describeTool(name, 'library', tool), () => tool);
}

async function addFound(toolsFolder: string, registry: ToolRegistry): Promise<void> {
  const manifest = await readManifest(path.join(toolsFolder, manifestName));
  if (manifest !== undefined) {
    for (const descriptor of manifest) {
      registry.add(descriptor, () =>
        loadTool(path.join(toolsFolder, descriptor.group, `${fileNameOf(descriptor.name)}.js`)),
      );
    }
    return;
  }
  // Only a run from source gets here: it pays for importing every tool, and zod with them.
  const { describeTool } = await import('./describe-tool.ts');
  for (const { group, name, file } of await listToolFiles(toolsFolder)) {
    const tool = await loadTool(file);
    registry.add(describeTool(name, group, tool), () => tool);
  }
}

export type ToolFile = { readonly group: string; readonly name: string; readonly file: string };

/** All tool files, sorted; names beginning with `_` and tests are no tools. */
export async function listToolFiles(toolsFolder: string): Promise<readonly ToolFile[]> {
  const found: ToolFile[] = [];
  for (const group of await readdir(toolsFolder, { withFileTypes: true })) {
    if (!group.isDirectory() || group.name.startsWith('_')) continue;
    for (const name of await readdir(path.join(toolsFolder, group.name))) {
      if (!/^[^_].*\.[jt]s$/.test(name) || /\.(test|d)\.ts$/.test(name)) continue;
      found.push({
        group: group.name,
        name: toolNameOf(name.slice(0, -3)),
        file: path.join(toolsFolder, group.name, name),
      });
    }
  }
  return found.sort((left, right) => left.file.localeCompare(right.file, 'en'));
}

async function loadTool(file: string): Promise<Tool> {
  const module = (await import(pathToFileURL(file).href)) as { readonly default?: Tool };
  if (typeof module.default?.run !== 'function') throw new Error(`${file} has no tool as its default export.`);
  return Object.freeze(module.default);
}

async function readManifest(file: string): Promise<readonly ToolDescriptor[] | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as readonly ToolDescriptor[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const toolNameOf = (fileName: string): string => fileName.replaceAll('-', '_');
const fileNameOf = (toolName: string): string => toolName.replaceAll('_', '-');
