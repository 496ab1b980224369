/** The title and the facts of a permission question: from what the call touches, never from the tool's name. Pure. */
import type { ResolvedAccess } from '../../contract/access.ts';
import type { Question } from '../../contract/permission.ts';
import type { Words } from '../words/words.ts';
import { exactLine } from './exact-text.ts';

export function questionTitle(question: Question, { t }: Words): string {
  const titles = new Set(question.accesses.map((access) => accessTitle(access, t)));
  const [only] = titles;
  return titles.size === 1 && only !== undefined ? only : `${exactLine(question.title)}?`;
}

function accessTitle(access: ResolvedAccess, t: Words['t']): string | undefined {
  switch (access.kind) {
    case 'path':
      return t(`question.path-${access.mode}`);
    case 'command':
      return t(access.isSandboxed ? 'question.command' : 'question.command-outside');
    case 'url':
      return t('question.url', { host: exactLine(access.host) });
    case 'message':
      return t('question.message');
    case 'mcp':
      return t('question.mcp', { server: exactLine(access.server) });
    case 'app':
    case 'persist':
    case 'none':
      return undefined;
  }
}

export type Fact = {
  readonly label: string;
  readonly value: string;
  /** What the value really is, when that is not what it says. */
  readonly really?: string;
};

export function questionFacts(question: Question, { t }: Words): readonly Fact[] {
  return question.accesses.flatMap((access): readonly Fact[] => {
    switch (access.kind) {
      case 'path':
        return [
          {
            label: t(`fact.${access.mode}`),
            value: access.path,
            ...(access.realPath === access.path ? {} : { really: access.realPath }),
          },
        ];
      case 'command':
        return [{ label: t('fact.folder'), value: access.cwd }];
      case 'url':
        return [{ label: access.method, value: access.url }];
      case 'app':
        return [{ label: t('fact.app'), value: access.name }];
      case 'message':
        return [{ label: t('fact.to'), value: access.to }];
      case 'mcp':
        return [{ label: access.server, value: access.tool }];
      case 'persist':
        return [{ label: t('fact.keeps'), value: access.what }];
      case 'none':
        return [];
    }
  });
}

/** Each argument with its exact value; input that is no object of arguments as it is, without a name. */
export function argumentsOf(input: string): readonly { readonly name: string | undefined; readonly text: string }[] {
  const values = readObject(input);
  if (values === undefined) return [{ name: undefined, text: input }];
  return Object.entries(values).map(([name, value]) => ({
    name,
    text: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

function readObject(input: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    // No JSON: the text itself is the exact truth.
    return undefined;
  }
}
