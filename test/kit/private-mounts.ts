/** Runs the real program where mounts are its own: a disk that is full, a program that is hidden, another user. */
import { chownSync, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { programFile, type ProgramWorld, type RunEnd } from './program.ts';
import { runProgram } from './run-program.ts';

export const isRoot = process.geteuid?.() === 0;
/** A number nobody has on an ordinary machine; it is known by name only inside the private mounts. */
export const ordinaryUid = isRoot ? 61_235 : (process.geteuid?.() ?? 61_235);

export type PlaceOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
};

type End = Pick<RunEnd, 'code' | 'stdout' | 'stderr'>;

/** Shell lines with the world's environment; `$H` is the program. */
export function runScript(world: ProgramWorld, script: string, options: PlaceOptions = {}): Promise<End> {
  return runProgram('sh', ['-c', script], placeOf(world, options));
}

/** The program as whoever runs the tests; what it prints is not looked at. */
export function runPlainly(world: ProgramWorld, args: readonly string[], options: PlaceOptions = {}): Promise<End> {
  return runProgram(programFile, args, placeOf(world, options));
}

/** Shell lines as above, where `mount` changes nothing for anybody else. */
export function runWithMounts(world: ProgramWorld, script: string, options: PlaceOptions = {}): Promise<End> {
  return runProgram('unshare', [isRoot ? '-m' : '-Urm', 'sh', '-c', script], placeOf(world, options));
}

function placeOf(world: ProgramWorld, { env, cwd, stdin }: PlaceOptions) {
  return {
    cwd: cwd ?? world.workspace,
    env: { ...world.environment, H: programFile, ...env },
    ...(stdin === undefined ? {} : { input: stdin }),
  };
}

/** Without `src`, so that nothing is built: the bundle may lie where this user cannot write. */
const enterAsUser = `
set -e
mount -t tmpfs -o mode=755 tmpfs /mnt
mkdir /mnt/handrail
cp "$PROJECT/package.json" /mnt/handrail/
for part in bin dist node_modules; do
  mkdir "/mnt/handrail/$part"
  mount --bind "$PROJECT/$part" "/mnt/handrail/$part"
done
mount --bind "$ROOT_FOLDER/passwd" /etc/passwd
mount --bind "$ROOT_FOLDER/group" /etc/group
user=$1
shift
unset PROJECT ROOT_FOLDER
exec setpriv --reuid "$user" --regid "$user" --clear-groups --inh-caps=-all -- /mnt/handrail/bin/handrail "$@"
`;

/** Gives the world to an ordinary user, and runs the program as that user, whoever runs the tests. */
export function runAsOrdinaryUser(
  world: ProgramWorld,
  args: readonly string[],
  options: PlaceOptions = {},
): Promise<End> {
  const place = placeOf(world, options);
  if (!isRoot) return runPlainly(world, args, options);
  const account = `handrail-test:x:${ordinaryUid}:${ordinaryUid}::${world.home}:/bin/sh\n`;
  writeFileSync(path.join(world.root, 'passwd'), `root:x:0:0:root:/root:/bin/sh\n${account}`);
  writeFileSync(path.join(world.root, 'group'), `root:x:0:\nhandrail-test:x:${ordinaryUid}:\n`);
  const env = { ...place.env, PROJECT: path.resolve(programFile, '../..'), ROOT_FOLDER: world.root };
  return runProgram('unshare', ['-m', 'sh', '-c', enterAsUser, 'sh', `${ordinaryUid}`, ...args], { ...place, env });
}

/** Makes the folder with everything in it the ordinary user's own. */
export function giveToOrdinaryUser(folder: string): void {
  if (!isRoot) return;
  chownSync(folder, ordinaryUid, ordinaryUid);
  for (const name of readdirSync(folder)) {
    const each = path.join(folder, name);
    if (lstatSync(each).isDirectory()) giveToOrdinaryUser(each);
    else if (!lstatSync(each).isSymbolicLink()) chownSync(each, ordinaryUid, ordinaryUid);
  }
}
