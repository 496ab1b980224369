/**
 * A docker that needs no service: it notes its arguments, and does `run` with bubblewrap. Every --mount is bound, and the rest
 * of the machine is there as it is.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContainerSearch, findContainer } from '../../src/services/sandbox/find-container.ts';
import { createTemporaryTree } from './temporary-tree.ts';

const script = `#!/bin/bash
echo "$*" >>"$(dirname "$0")/asked"
case $1 in
--version) echo Docker version 26.1.0; exit ;;
version) echo 26.1.0; exit ;;
image) exit 1 ;;
import) cat >/dev/null; exit ;;
ps) exit ;;
kill) kill -9 "$(cat "$(dirname "$0")/pid-$2")"; exit ;;
exec) name=$2; shift 2
  first=$(pgrep -P "$(cat "$(dirname "$0")/pid-$name")")
  [ "$(id -u)" = 0 ] || own='-U --preserve-credentials'
  exec nsenter -t "$first" -m -p $own -- "$@" ;;
esac
binds=()
while [[ $1 != handrail-empty-root:* ]]; do
  case $1 in
  --name) name=$2 ;;
  --mount) source=\${2#*src=}; source=\${source%%,*}; path=\${2#*dst=}; path=\${path%%,*}
    case $path in /usr) ;; *) binds+=(--bind "$source" "$path") ;; esac ;;
  esac
  shift
done
shift
echo $$ >"$(dirname "$0")/pid-$name"
# The service hands no descriptor on.
exec 3>&- 4>&- 5>&- 6>&- 7>&-
exec bwrap --die-with-parent --unshare-pid --as-pid-1 --unshare-net --dev-bind / / --tmpfs /run --tmpfs /tmp --tmpfs /home "\${binds[@]}" --proc /proc -- "$@"
`;

export type FakeDocker = {
  find(): Promise<ContainerSearch>;
  /** What it was asked, a line for each time. */
  asked(): string[];
};

export async function fakeDocker(): Promise<FakeDocker> {
  const folder = await createTemporaryTree();
  writeFileSync(join(folder, 'docker'), script);
  chmodSync(join(folder, 'docker'), 0o755);
  return {
    find: () => findContainer([folder]),
    asked: () => readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n'),
  };
}
