/** What comes after the tree is in its place: the repositories, the package set, and a look that it is all there. */
import { ToolFailure } from '../../contract/failure.ts';
import type { UserlandRecord } from '../sandbox/userland-place.ts';
import { chooseApkMirror } from './install-alpine.ts';
import { inStep, type InstallContext, percentTeller } from './install-steps.ts';
import { basicPrograms, packageCommands } from './package-commands.ts';
import { resolvText } from './prepare-tree.ts';

/** Does what is not done yet; a userland that is ready is left as it is. */
export async function finishInstallation(
  context: InstallContext,
  record: UserlandRecord,
  { isBare }: { readonly isBare: boolean },
): Promise<void> {
  let known = await keepNameServers(context, record);
  if (known.stage === 'unpacked') {
    const mirror = await inStep('repositories', () => updateLists(context, known));
    if (isBare) {
      context.store.update({ mirror, stage: 'ready' });
      return;
    }
    known = context.store.update({ mirror });
    await installBasicPackages(context, known);
    context.store.update({ stage: 'ready' });
  }
}

/** Rejects with ToolFailure that names the step. */
export function installBasicPackages(context: InstallContext, record: UserlandRecord): Promise<void> {
  const { store, run, signal, onOutput } = context;
  const commands = packageCommands[record.distribution === 'alpine' ? 'apk' : 'apt-get'];
  return inStep('packages', async () => {
    context.onProgress({ step: 'packages', text: `installing ${commands.basic.length} packages and what they need` });
    const tell = percentTeller(context, 'packages');
    const result = await run({
      tree: store.tree,
      workspace: store.systemFolder(),
      script: commands.install,
      args: commands.basic,
      signal,
      onOutput(text) {
        // apk counts by itself: `(12/57) Installing …`.
        const [, done, total] = [...text.matchAll(/^\((\d+)\/(\d+)\) /gm)].at(-1) ?? [];
        if (done !== undefined) tell({ text: 'installing', done: Number(done), total: Number(total) });
        onOutput?.(text);
      },
    });
    if (result.exitCode !== 0) throw new ToolFailure('failed', `the package manager said: ${result.tail}`);
    await checkPrograms(context);
    store.update({ packages: 'basic' });
  });
}

async function checkPrograms({ store, run, signal }: InstallContext): Promise<void> {
  const script = 'for name in "$@"; do command -v "$name" >/dev/null || echo "$name"; done';
  const result = await run({
    tree: store.tree,
    workspace: store.systemFolder(),
    script,
    args: basicPrograms,
    signal,
  });
  const missing = result.output.split('\n').filter((name) => name !== '');
  if (result.exitCode !== 0 || missing.length > 0) {
    throw new ToolFailure('failed', `after the installation these are missing: ${missing.join(', ') || result.tail}`);
  }
}

async function updateLists(context: InstallContext, record: UserlandRecord): Promise<string> {
  if (record.distribution === 'alpine') return chooseApkMirror(context, record.version, record.mirror);
  context.onProgress({ step: 'repositories', text: 'apt-get update', mirror: record.mirror });
  const { store, run, signal, onOutput } = context;
  const result = await run({
    tree: store.tree,
    workspace: store.systemFolder(),
    script: `${packageCommands['apt-get'].update} -o APT::Update::Error-Mode=any`,
    signal,
    ...(onOutput === undefined ? {} : { onOutput }),
  });
  if (result.exitCode === 0) return record.mirror;
  throw new ToolFailure('unavailable', `apt-get update said: ${result.tail}`);
}

/** Those of the settings may have changed since. From inside: what lies there by now is the commands' own. */
async function keepNameServers(context: InstallContext, record: UserlandRecord): Promise<UserlandRecord> {
  const { store, dns, run, signal } = context;
  if (record.dns.join() === dns.join()) return record;
  const result = await run({
    tree: store.tree,
    workspace: store.systemFolder(),
    script: 'rm -f /etc/resolv.conf && printf %s "$1" >/etc/resolv.conf',
    args: [resolvText(dns)],
    signal,
  });
  if (result.exitCode !== 0) throw new ToolFailure('failed', `the name servers could not be written: ${result.tail}`);
  return store.update({ dns });
}
