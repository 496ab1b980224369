/** docs/reference/tools.md: every tool with its arguments, from the descriptors. */
import type { JsonSchema } from '../../src/contract/model.ts';
import type { ToolDescriptor } from '../../src/contract/tool.ts';
import { pageHead, tableOf } from './page.ts';
import { describeType } from './schema-text.ts';

export function toolsPage(tools: readonly ToolDescriptor[]): string {
  const groups = [...new Set(tools.map((tool) => tool.group))];
  const parts = groups.map((group) =>
    [`## ${group}`, ...tools.filter((tool) => tool.group === group).map(toolSection)].join('\n\n'),
  );
  return `${pageHead('Tools', 'the tools in `src/tools`')}\n${parts.join('\n\n')}\n`;
}

function toolSection(tool: ToolDescriptor): string {
  const facts = [
    ...(tool.aliases.length > 0 ? [`also called ${tool.aliases.map(code).join(', ')}`] : []),
    `effect ${code(tool.effect)}`,
    `at most ${tool.timeoutMs / 1000} s`,
    `${tool.maxChars.toLocaleString('en')} characters for the model`,
    tool.enabledByDefault ? 'on by default' : 'off by default',
    ...(tool.smallModels ? ['offered to small local models'] : []),
    ...(tool.platforms.length > 0 ? [`on ${tool.platforms.join(', ')} only`] : []),
  ];
  const shapes = [
    argumentTable('Argument', tool.inputSchema),
    ...(tool.outputSchema ? [argumentTable('Field of `data`', tool.outputSchema)] : []),
  ];
  return [`### ${tool.name}`, `**${tool.title}**: ${tool.description}`, `${facts.join('; ')}.`, ...shapes].join('\n\n');
}

const code = (text: string): string => `\`${text}\``;

function argumentTable(head: string, schema: JsonSchema): string {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
  if (properties.length === 0) return head === 'Argument' ? 'No arguments.' : 'No fields.';
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const rows = properties.map(([name, property]) => [
    code(name),
    describeType(property),
    required.has(name) ? 'yes' : 'default' in property ? `no: ${code(JSON.stringify(property['default']))}` : 'no',
    String(property['description'] ?? ''),
  ]);
  return tableOf([head, 'type', 'required', 'meaning'], rows);
}
