/** The command line that runs a program of one language. The program itself comes by a descriptor or a file, never in it. */
import type { CodeLanguage } from '../../contract/code.ts';

/** What the interpreter's absence looks like, on standard error. */
export const missingText = 'handrail: no interpreter';

/** Modules are searched in the working directory, as with `python -c`; and nothing is left beside them. */
const pythonEnvironment = 'PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD${PYTHONPATH:+:$PYTHONPATH}"';
const pythonOrGiveUp = `command -v python3 >/dev/null || { echo '${missingText}' >&2; exit 127; }`;

/** A file, because Python shows its lines when something fails. It lies in the sandbox's own /tmp and goes with it. */
export function pythonInSandbox(handle: number): string {
  return `${pythonOrGiveUp}
handrail_code=$(mktemp -d /tmp/code-XXXXXXXX) && /bin/cat <&${handle} >"$handrail_code/main.py" && exec ${handle}<&-
${pythonEnvironment} python3 "$handrail_code/main.py"
handrail_end=$?
rm -rf "$handrail_code"
exit "$handrail_end"`;
}

export function pythonOnHost(file: string): string {
  return `${pythonOrGiveUp}\n${pythonEnvironment} exec python3 ${quote(file)}`;
}

/**
 * From standard input, Node takes modules of both kinds and types, looks for packages from the working directory on, and sees
 * the end of the input afterwards. `require` is there beside a top-level await too.
 */
export function nodeCommand(node: readonly string[], source: string): string {
  const flags = [
    '--disable-warning=ExperimentalWarning',
    '--import',
    'data:text/javascript,globalThis.require??=process.getBuiltinModule("module").createRequire(process.cwd()+"/")',
  ];
  return `exec ${[...node, ...flags].map(quote).join(' ')} - ${source}`;
}

export const interpreterNames: Readonly<Record<CodeLanguage, string>> = {
  python: 'Python',
  javascript: 'JavaScript',
  typescript: 'TypeScript',
};

export const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
