/** docs/reference/events.md: the journal's events, from the comments in their contract. */
import { parseSync } from 'rolldown/utils';
import { isNode, type SyntaxNode } from '../check/source-files.ts';
import { pageHead, tableOf } from './page.ts';

/** Throws when a member of the union has no comment: an event nobody explains cannot be handled by anybody. */
export function eventsPage(source: string): string {
  const events = readEvents(source);
  const intro =
    'A conversation is a list of these, one JSON object each: `handrail ask --json` prints them, one per line. All carry `conversationId`, `seq` (from 1, without gaps), `turnId` and `at` (ISO 8601, UTC). A program should pass over types and fields that it does not know.';
  const sections = events.map(({ type, comment, fields }) =>
    [`## ${type}`, comment, ...(fields.length > 0 ? [tableOf(['field', 'type'], fields)] : [])].join('\n\n'),
  );
  return `${pageHead('Events', '`src/contract/event.ts`')}\n${intro}\n\n${sections.join('\n\n')}\n`;
}

type EventText = { readonly type: string; readonly comment: string; readonly fields: readonly string[][] };

function readEvents(source: string): readonly EventText[] {
  const { program, comments } = parseSync('event.ts', source);
  const union = findType(program as unknown as SyntaxNode, 'EventBody');
  let previousEnd = source.indexOf('type EventBody');
  return (union['types'] as readonly SyntaxNode[]).map((member) => {
    const comment = comments.findLast(({ start, end }) => start >= previousEnd && end <= member.start);
    previousEnd = member.end;
    const fields = (member['members'] as readonly SyntaxNode[]).map((field) => readField(source, field));
    const type = fields.find(([name]) => name === 'type')?.[1]?.replaceAll("'", '') ?? '';
    if (comment === undefined) throw new Error(`the event ${type} has no comment`);
    return {
      type,
      comment: comment.value.replaceAll(/^\s*\*+ ?/gm, '').trim(),
      fields: fields
        .filter(([name]) => name !== 'type')
        .map(([name = '', text = '']) => [`\`${name}\``, `\`${text}\``]),
    };
  });
}

function findType(program: SyntaxNode, name: string): SyntaxNode {
  for (const statement of program['body'] as readonly SyntaxNode[]) {
    const declaration = statement['declaration'];
    if (!isNode(declaration) || !isNode(declaration['id']) || declaration['id']['name'] !== name) continue;
    if (isNode(declaration['typeAnnotation'])) return declaration['typeAnnotation'];
  }
  throw new Error(`there is no type ${name}`);
}

function readField(source: string, field: SyntaxNode): string[] {
  const key = field['key'] as SyntaxNode;
  const annotation = (field['typeAnnotation'] as SyntaxNode)['typeAnnotation'] as SyntaxNode;
  const type = source.slice(annotation.start, annotation.end).replaceAll('readonly ', '').replaceAll(/\s+/g, ' ');
  return [`${String(key['name'])}${field['optional'] === true ? '?' : ''}`, type];
}
