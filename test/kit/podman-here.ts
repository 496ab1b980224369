/** A podman that works on the machine of the tests, also where version 2 of the control groups is mounted beside version 1. */
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContainerSearch, findContainer } from '../../src/services/sandbox/find-container.ts';
import { isRoot } from './ordinary-user.ts';
import { createTemporaryTree } from './temporary-tree.ts';

/** crun refuses such a machine ("hybrid mode"); in a mount namespace of its own the second one is simply not there. */
const script = `#!/bin/sh
exec unshare -m sh -c 'umount /sys/fs/cgroup/unified 2>/dev/null; PATH=/usr/bin:/bin exec podman "$@"' sh "$@"
`;

export async function podmanHere(): Promise<() => Promise<ContainerSearch>> {
  if (!isRoot) return () => findContainer();
  const folder = await createTemporaryTree();
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, 'podman'), script);
  chmodSync(join(folder, 'podman'), 0o755);
  return () => findContainer([folder]);
}
