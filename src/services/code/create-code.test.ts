import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CodeWorld, openCodeWorld } from '../../../test/kit/code-world.ts';
import { waitForNone } from '../../../test/kit/leftovers.ts';
import type { ResolvedAccess } from '../../contract/access.ts';
import type { CodeRequest } from '../../contract/code.ts';
import { ToolFailure } from '../../contract/failure.ts';

let code: CodeWorld;

beforeAll(() => {
  code = openCodeWorld();
});

afterAll(async () => {
  await code.close();
  expect(await waitForNone(code.world.base, 10_000)).toEqual([]);
});

const out = async (text: string, more?: Partial<CodeRequest>) => {
  const { exitCode, stdout, stderr } = await code.run(text, more);
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
};
const inNode = { language: 'typescript' } as const;

describe('a run', () => {
  test.each([
    ['python', 'print(6 * 7)'],
    ['javascript', 'console.log(6 * 7)'],
    ['typescript', 'const answer: number = 6 * 7; console.log(answer)'],
  ] as const)('[N07] in %s gives what it printed', async (language, text) => {
    expect(await out(text, { language })).toEqual({ exitCode: 0, stdout: '42\n', stderr: '' });
  });

  test('[N07] two runs share no variable, no file of their own, no process', async () => {
    await out('x = 1; open("/tmp/mark", "w").write("x")\nimport subprocess; subprocess.Popen(["sleep", "1000"])');
    const { exitCode, stderr } = await out('print(x)');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("NameError: name 'x' is not defined")]);
    const seen = await out(
      'import os; print(os.path.exists("/tmp/mark"), len([p for p in os.listdir("/proc") if p.isdigit()]))',
    );
    expect(seen.stdout).toMatch(/^False [2-5]\n$/);
  });

  test('[N07] host files are absent, and the network is not there', async () => {
    const secret = join(homedir(), '.ssh');
    const text = `import os, socket
print(os.path.exists(${JSON.stringify(secret)}), os.path.exists("/root"), os.path.exists("/etc/shadow"))
try: socket.create_connection(("192.0.2.1", 80), 2)
except OSError as error: print("no network")`;
    expect((await out(text)).stdout).toBe('False False False\nno network\n');
  });

  test('[N07] works in the workspace, where modules are found, and leaves nothing beside them', async () => {
    mkdirSync(join(code.world.workspace, 'sub'), { recursive: true });
    writeFileSync(join(code.world.workspace, 'sub/own.py'), 'value = 9\n');
    writeFileSync(join(code.world.workspace, 'sub/own.cjs'), 'module.exports = 9;\n');
    const workingDir = 'sub';
    expect((await out('import own, os; print(own.value, os.getcwd())', { workingDir })).stdout).toBe(
      `9 ${code.world.workspace}/sub\n`,
    );
    expect((await out('console.log(require("./own.cjs"))', { ...inNode, workingDir })).stdout).toBe('9\n');
    expect(readdirSync(join(code.world.workspace, 'sub')).toSorted()).toEqual(['own.cjs', 'own.py']);
    await expect(code.run('1', { workingDir: 'none' })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('standard input is empty', async () => {
    expect((await out('import sys; print(repr(sys.stdin.read()))')).stdout).toBe("''\n");
    expect((await out('console.log(require("fs").readFileSync(0).length)', inNode)).stdout).toBe('0\n');
  });
});

describe('what fails', () => {
  test.each([
    ['python', 'print("a")\n\nraise ValueError("no")', /main\.py", line 3[^]*ValueError: no/, 1],
    ['python', 'def f(:\n', /line 1[^]*SyntaxError/, 1],
    ['python', 'import sys; sys.exit(7)', /^$/, 7],
    ['python', 'import os; os.kill(os.getpid(), 9)', /^|Killed/, 137],
    ['javascript', 'import "node:fs";\nawait 0;\nthrow new Error("no")', /:3\n[^]*Error: no/, 1],
    ['javascript', 'const a = 1;\n\nnull.x', /:3\n[^]*TypeError/, 1],
    ['typescript', 'type A = {\n  b: string;\n};\nconst a: A | null = null;\na!.b', /:5\n[^]*TypeError/, 1],
    ['typescript', 'Promise.reject(new Error("late"))', /Error: late/, 1],
    ['javascript', 'syntax error here', /SyntaxError/, 1],
    ['javascript', 'process.exit(5)', /^$/, 5],
  ] as const)('[N07] in %s: %j says why, at the right line', async (language, text, says, exitCode) => {
    const end = await out(text, { language });
    expect(end.exitCode).toBe(exitCode);
    expect(end.stderr).toMatch(says);
  });

  test('[N07] a loop without end is over in time, and everything it started', async () => {
    const text = 'import subprocess\nsubprocess.Popen(["setsid", "sleep", "4321"])\nwhile True: pass';
    const { timedOut, exitCode } = await code.run(text, { timeoutMs: 800 });
    expect([timedOut, exitCode]).toEqual([true, null]);
    const stop = new AbortController();
    const stopped = code.run('import time; time.sleep(1000)', {}, stop.signal);
    stop.abort(new ToolFailure('cancelled', 'Stopped.'));
    await expect(stopped).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('the program itself', () => {
  test('may be large, hold anything, and is in no process list', async () => {
    const filler = `# ${'é"$`\\\''.repeat(150_000)}\n`;
    const text = `${filler}import os
args = open("/proc/1/cmdline").read() + open(f"/proc/{os.getppid()}/cmdline").read() + open("/proc/self/cmdline").read()
print("s3cr" + "et-mark" in args, "\\u65e5 é")  # s3cret-mark`;
    expect(await out(text)).toEqual({ exitCode: 0, stdout: 'False 日 é\n', stderr: '' });
    const script = `/* ${'é"$`\\\''.repeat(150_000)} */ console.log("日", 1);`;
    expect((await out(script, inNode)).stdout).toBe('日 1\n');
    // Python would run what comes before it, and say nothing.
    await expect(code.run('print(1)\0print(2)')).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(code.run('#'.repeat(17 * 1024 * 1024))).rejects.toMatchObject({ code: 'too_large' });
  });

  test('a flood of output is cut', async () => {
    const { stdout } = await code.run('print("x" * 5_000_000)');
    expect([stdout.truncated, stdout.totalBytes, stdout.text.length < 20_000]).toEqual([true, 5_000_001, true]);
  });

  test('what runs it can start itself again', async () => {
    const text = 'console.log(require("child_process").execFileSync(process.execPath, ["-p", "6*7"]).toString())';
    expect((await out(text, inNode)).stdout).toBe('42\n\n');
  });
});

describe('another way to run', () => {
  test('[N07] is refused unless it was granted, word for word and in its language', async () => {
    const granted = openCodeWorld({ code: { isGranted: (_scope, request) => request.code === 'print(1)' } });
    await expect(granted.run('print(2)')).rejects.toMatchObject({ code: 'denied' });
    expect((await granted.run('print(1)')).stdout.text).toBe('1\n');
    await granted.close();
    const other = openCodeWorld({ rung: 'host' });
    const { forCall } = other.owner;
    const conversation = { id: 'c', workspace: other.world.workspace, isThrowaway: true };
    const access = {
      kind: 'command',
      command: 'print(1)',
      cwd: '/',
      isDangerous: false,
      heads: [],
      findings: [],
    } as const;
    const scopes: readonly ResolvedAccess[][] = [
      [{ ...access, language: 'python', isSandboxed: true }],
      [{ ...access, language: 'javascript', isSandboxed: false }],
      [{ ...access, isSandboxed: false }],
    ];
    for (const granted of scopes) {
      const scope = { callId: 'x', conversation, granted, signal: new AbortController().signal };
      await expect(forCall(scope).run({ code: 'print(1)', language: 'python' })).rejects.toMatchObject({
        code: 'denied',
      });
    }
    await other.close();
  });

  test('[N07] where Python is missing, it says what to install', async () => {
    const bare = openCodeWorld({ rung: 'host', code: { environment: { PATH: '/nonexistent' } } });
    await expect(bare.run('print(1)')).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('apt-get install python3'),
    });
    expect((await bare.run('console.log(1)', inNode)).stdout.text).toBe('1\n');
    await bare.close();
  });

  test('with another C library in the sandbox, Node brings its own', async () => {
    const own = openCodeWorld({ code: { hasOwnSystem: () => true } });
    const { stdout } = await own.run('console.log(process.version, await Promise.resolve(1))', inNode);
    expect(stdout.text).toBe(`${process.version} 1\n`);
    await own.close();
  });

  test('[N07] on the machine itself the same programs run, and no file of them stays', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('handrail-code-'));
    const host = openCodeWorld({ rung: 'host' });
    expect((await host.run('import os; print(os.path.exists("/proc/1"))')).stdout.text).toBe('True\n');
    expect((await host.run('const n: number = 3; console.log(n)', inNode)).stdout.text).toBe('3\n');
    const { timedOut } = await host.run('while True: pass', { timeoutMs: 500 });
    expect(timedOut).toBe(true);
    await host.close();
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('handrail-code-'))).toEqual(before);
  });
});
