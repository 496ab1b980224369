/** The tools that are there but not in every request: found by what they do. */

export type FoundTool = { readonly name: string; readonly title: string; readonly description: string };

/** Only tools that are on: what is off is never named. */
export type ToolCatalog = {
  /** Best first; by words of name, aliases, title, group and description. An exact name is always first. */
  find(query: string, limit: number): readonly FoundTool[];
};
