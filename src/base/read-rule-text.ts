/** The form of a permission rule: `tool`, or `tool(argument)`. Whoever reads settings and whoever obeys them agree on it here. */

export const ruleForm =
  "is no permission rule: write a tool's name, or tool(argument), for example read_file(/etc/**), bash(git status) or bash(example.org)";

/** Undefined: it is no rule. */
export function readRuleText(
  text: string,
): { readonly tool: string; readonly argument: string | undefined } | undefined {
  const match = /^\s*([A-Za-z0-9_*?-]+)\s*(?:\(([\s\S]+)\))?\s*$/.exec(text);
  const [, tool, argument] = match ?? [];
  if (tool === undefined || argument?.trim() === '') return undefined;
  return { tool, argument: argument?.trim() };
}
