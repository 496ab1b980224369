/**
 * All tools by name. Registering costs nothing: a descriptor advertises a tool, its factory is called on first use, and the
 * instance is released after the call where that is asked for.
 */
import type { Tool, ToolDescriptor } from '../contract/tool.ts';

export type ToolFactory = () => Promise<Tool> | Tool;

export type ToolRegistry = {
  /** Throws when the name or an alias is taken. `unloadAfterUse` omitted: the registry's default. */
  add(descriptor: ToolDescriptor, factory: ToolFactory, unloadAfterUse?: boolean): void;
  /** By name or alias. */
  getDescriptor(name: string): ToolDescriptor | undefined;
  /** The instance, loaded if needed; undefined when there is no such tool. By name or alias. */
  get(name: string): Promise<Tool | undefined>;
  names(): readonly string[];
  descriptors(): readonly ToolDescriptor[];
  loadedNames(): readonly string[];
  /** True when it was loaded and is released now; false when unknown or not loaded. */
  unload(name: string): boolean;
  /** The names that were released. */
  unloadAll(): readonly string[];
  /** To be called after each use; releases the instance where unload-after-use holds. */
  release(name: string): void;
  /** Takes a tool out; false when there is none. */
  remove(name: string): boolean;
};

type Entry = {
  readonly descriptor: ToolDescriptor;
  readonly factory: ToolFactory;
  readonly unloadAfterUse: boolean;
  instance: Promise<Tool> | undefined;
  isLoaded: boolean;
};

export function createToolRegistry(options: { readonly unloadAfterUse?: boolean } = {}): ToolRegistry {
  const entries = new Map<string, Entry>();
  const nameOfAlias = new Map<string, string>();
  const find = (name: string): Entry | undefined => entries.get(name) ?? entries.get(nameOfAlias.get(name) ?? '');

  function unload(name: string): boolean {
    const entry = find(name);
    if (entry === undefined || !entry.isLoaded) return false;
    entry.instance = undefined;
    entry.isLoaded = false;
    return true;
  }

  return {
    add(descriptor, factory, unloadAfterUse = options.unloadAfterUse ?? false) {
      for (const name of [descriptor.name, ...descriptor.aliases]) {
        if (find(name) !== undefined) throw new Error(`A tool named ${name} is registered already.`);
      }
      entries.set(descriptor.name, { descriptor, factory, unloadAfterUse, instance: undefined, isLoaded: false });
      for (const alias of descriptor.aliases) nameOfAlias.set(alias, descriptor.name);
    },

    getDescriptor: (name) => find(name)?.descriptor,

    async get(name) {
      const entry = find(name);
      if (entry === undefined) return undefined;
      entry.instance ??= Promise.resolve().then(entry.factory);
      try {
        const tool = await entry.instance;
        entry.isLoaded = true;
        return tool;
      } catch (error) {
        // The next call tries again: a failed load must not stick.
        entry.instance = undefined;
        throw error;
      }
    },

    names: () => [...entries.keys()],
    descriptors: () => [...entries.values()].map((entry) => entry.descriptor),
    loadedNames: () => [...entries.values()].filter((entry) => entry.isLoaded).map((entry) => entry.descriptor.name),
    unload,
    unloadAll: () => [...entries.keys()].filter(unload),

    release(name) {
      if (find(name)?.unloadAfterUse === true) unload(name);
    },

    remove(name) {
      const entry = find(name);
      if (entry === undefined) return false;
      for (const alias of entry.descriptor.aliases) nameOfAlias.delete(alias);
      return entries.delete(entry.descriptor.name);
    },
  };
}
