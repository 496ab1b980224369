/** What people really run works under the filter of system calls and without capabilities, on each rung that is a sandbox. */
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { podmanHere } from '../kit/podman-here.ts';
import { openShellWorld, type ShellWorld } from '../kit/shell-world.ts';

const opened: ShellWorld[] = [];
afterEach(async () => {
  for (const world of opened.splice(0)) await world.close();
});

type Program = {
  readonly name: string;
  readonly command: string;
  readonly prints: string;
  /** Not on every machine. */
  readonly file?: string;
};

const programs: readonly Program[] = [
  {
    name: 'a compiler and what it makes, with threads',
    file: '/usr/bin/gcc',
    command: `printf '#include <pthread.h>\\n#include <stdio.h>\\nvoid*f(void*x){return x;}\\nint main(){pthread_t t;pthread_create(&t,0,f,0);pthread_join(t,0);puts("built");}' >a.c && gcc -O1 -pthread a.c -o a && ./a`,
    prints: 'built\n',
  },
  { name: 'make', file: '/usr/bin/make', command: `printf 'all: x\\nx:\\n\\t@echo made\\n' >Makefile; make -s -j2`, prints: 'made\n' },
  {
    name: 'python with threads, processes, shared memory and sockets',
    file: '/usr/bin/python3',
    command: `python3 -c '
import multiprocessing, socket, subprocess, threading
t = threading.Thread(target=lambda: None); t.start(); t.join()
with multiprocessing.Pool(2) as pool: print(sum(pool.map(abs, [-1, -2])))
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen()
c = socket.create_connection(s.getsockname()); s.accept()[0].send(b"hi"); print(c.recv(2).decode())
print(subprocess.run(["true"]).returncode)'`,
    prints: '3\nhi\n0\n',
  },
  { name: 'perl with fork and pipes', command: `perl -e 'open(P, "-|", "echo piped") and print <P>; fork or exit 0; wait; print "ok\\n"'`, prints: 'piped\nok\n' },
  {
    name: 'git: init, commit, branch, gc',
    command:
      'git init -q r && cd r && git config user.email a@b && git config user.name a && echo x >f && git add f && git commit -qm one && git checkout -qb b && git gc -q && git log --oneline | wc -l',
    prints: '1\n',
  },
  { name: 'tar and its compressors', command: 'mkdir d && echo x >d/f && tar czf d.tgz d && rm -r d && tar xzf d.tgz && cat d/f', prints: 'x\n' },
  { name: 'rsync', file: '/usr/bin/rsync', command: 'mkdir a1 && echo x >a1/f && rsync -a a1/ b1/ && cat b1/f', prints: 'x\n' },
  { name: 'ssh-keygen', file: '/usr/bin/ssh-keygen', command: `ssh-keygen -q -t ed25519 -N '' -f key && head -1 key`, prints: '-----BEGIN OPENSSH PRIVATE KEY-----\n' },
  { name: 'java', file: '/usr/bin/javac', command: `printf 'class A{public static void main(String[] a)throws Exception{Thread t=new Thread(()->System.out.println("java"));t.start();t.join();}}' >A.java && javac A.java && java -Xmx64m A`, prints: 'java\n' },
  { name: 'a tracer', file: '/usr/bin/strace', command: 'strace -f -o log sh -c true && grep -c exited log', prints: '1\n' },
  { name: 'sqlite', file: '/usr/bin/python3', command: `python3 -c 'import sqlite3; c = sqlite3.connect("db"); c.execute("pragma journal_mode=wal"); c.execute("create table t(a)"); print(c.execute("select count(*) from t").fetchone()[0])'`, prints: '0\n' },
  { name: 'bash’s own pipes and here-documents', command: 'cat <(echo a) <<<b; diff <(seq 3) <(seq 3) && (read -r x; echo "$x") < <(echo c)', prints: 'a\nc\n' },
  { name: 'locks, timers and signals', command: `flock lock sh -c 'echo locked'; timeout -s INT 0.2 sleep 5; echo $?; trap 'echo usr1' USR1; kill -USR1 $$`, prints: 'locked\n124\nusr1\n' },
]; // prettier-ignore

describe.each(['namespaces', 'container'] as const)('in %s', (rung) => {
  it('[A28] ordinary programs work', async () => {
    const sandbox = rung === 'container' ? { findContainer: await podmanHere() } : {};
    const world = openShellWorld({ rung, sandbox });
    opened.push(world);
    const there = programs.filter(({ file }) => file === undefined || existsSync(file));
    expect(there.length).toBeGreaterThan(5);
    for (const { name, command, prints } of there) {
      const result = await world.run(`rm -rf ./* && ${command}`, { timeoutMs: 60_000 });
      expect([name, result.stdout.text, result.stderr.text]).toEqual([name, prints, expect.not.stringMatching(/not permitted|not implemented/)]);
    } // prettier-ignore
  }, 120_000);

  it('[A28] Node works, with workers and child processes', async () => {
    const sandbox = rung === 'container' ? { findContainer: await podmanHere() } : {};
    const world = openShellWorld({ rung, sandbox });
    opened.push(world);
    const { copyFileSync } = await import('node:fs');
    copyFileSync(process.execPath, `${world.workspace}/node`);
    const script = `const{Worker}=require("worker_threads");new Worker("1",{eval:true}).on("exit",()=>{console.log(require("child_process").execSync("echo child")+"");require("fs").readFile("/etc/os-release",()=>console.log("read"))})`;
    const result = await world.run(`./node -e '${script}'`, { timeoutMs: 60_000 });
    expect([result.stdout.text, result.stderr.text]).toEqual(['child\n\nread\n', '']);
  }, 120_000);
});
