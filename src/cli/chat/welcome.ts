/** The first screen: what this is, where it works, behind which rail, with which model, or how to connect one. */
import type { ModelChoice } from '../../contract/handrail.ts';
import { showPath } from '../show/amounts.ts';
import { cleanLine } from '../show/clean-text.ts';
import { rungName } from './input-lines.ts';
import { line, span, type Line } from '../show/span.ts';
import { padToWidth } from '../show/text-width.ts';

export type WelcomeFacts = {
  readonly version: string;
  readonly workspace: string;
  readonly home: string | undefined;
  readonly rung: string;
  readonly model: string | undefined;
  /** What could be chosen although nothing is set up. */
  readonly choices: readonly ModelChoice[];
  readonly demoNotice: string | undefined;
};

export function welcomeLines(facts: WelcomeFacts): readonly Line[] {
  const fact = (name: string, value: Line): Line => [span(padToWidth(name, 11), 'dim'), ...value];
  const lines: Line[] = [
    [span('Handrail', 'bold', 'accent'), span(` ${facts.version}`, 'dim')],
    [],
    fact('Workspace', line(cleanLine(showPath(facts.workspace, facts.home)))),
    fact('Sandbox', line(rungName(facts.rung))),
    fact('Model', facts.model === undefined ? line('none yet', 'ask') : line(cleanLine(facts.model))),
  ];
  if (facts.demoNotice !== undefined) lines.push([], line(cleanLine(facts.demoNotice), 'ask'));
  if (facts.model === undefined) return [...lines, [], ...connectLines(facts.choices)];
  return [
    ...lines,
    [],
    [
      span('/help', 'accent'),
      span(' says what you can type. ', 'dim'),
      span('!command', 'accent'),
      span(' runs a command.', 'dim'),
    ],
  ];
}

/** Every way to a model, the nearest first. */
export function connectLines(choices: readonly ModelChoice[]): readonly Line[] {
  const way = (what: string, how: string): Line => [span('  '), span(padToWidth(what, 40), 'accent'), span(how, 'dim')];
  const found = choices.slice(0, 4).map((choice) => way(`/model ${cleanLine(choice.id)}`, cleanLine(choice.source)));
  return [
    line('Connect a model', 'bold'),
    ...(found.length > 0 ? [line('Found on this machine:', 'dim'), ...found] : []),
    line('With a key, in the environment before you start Handrail:', 'dim'),
    way('ANTHROPIC_API_KEY', 'Anthropic'),
    way('OPENAI_API_KEY', 'OpenAI; OPENAI_BASE_URL for others'),
    way('GEMINI_API_KEY', 'Google'),
    line('or kept by Handrail:', 'dim'),
    way('handrail secrets set ANTHROPIC_API_KEY', 'asks for the key'),
    ...(found.length > 0
      ? []
      : [
          line('Without a key, a model on this machine (found when it runs):', 'dim'),
          way('ollama serve', 'then: ollama pull qwen3'),
          way('llama-server -m model.gguf', 'llama.cpp'),
          way('lms server start', 'LM Studio'),
        ]),
    [],
    line('Without any model', 'bold'),
    way('!ls -la', 'runs a command in the sandbox'),
    way('/read_file path=README.md', 'calls a tool; Tab completes'),
    way('handrail demo', 'plays a scripted model through the real thing'),
  ];
}
