/** Finds out which rung of the ladder this machine can give, and what to type when it is not the configured one. */
import { execFile } from 'node:child_process';
import type { Rung, SandboxReport } from '../../contract/services.ts';
import { namespaceArgs } from './bwrap-args.ts';
import { type Bubblewrap, type BubblewrapSearch, findBubblewrap, isAtLeast } from './find-bubblewrap.ts';
import { type ContainerSearch, findContainer } from './find-container.ts';
import { findProot, type ProotSearch, prootWarning, statxWarning } from './find-proot.ts';
import {
  type Distribution,
  installCommand,
  isRestrictedByAppArmor,
  readDistribution,
  reinstallCommand,
  userNamespaceFix,
} from './fixing-command.ts';
import { tryContainer } from './try-container.ts';

export type Detection = {
  readonly configured: Rung;
  readonly isRoot: boolean;
  readonly find?: () => Promise<BubblewrapSearch>;
  /** Undefined when a sandbox with these arguments starts, else what bubblewrap said. */
  readonly tryOut?: (bubblewrap: Bubblewrap, args: readonly string[]) => Promise<string | undefined>;
  readonly readKnob?: (path: string) => string | undefined;
  readonly hasSeccomp: boolean;
  /** Ours, for the storage of podman and the service of docker. */
  readonly environment?: NodeJS.ProcessEnv;
  readonly findProot?: () => Promise<ProotSearch>;
  readonly findContainer?: () => Promise<ContainerSearch>;
  readonly tryContainer?: typeof tryContainer;
  readonly distribution?: Distribution;
};

export async function detectRungs(detection: Detection): Promise<SandboxReport> {
  switch (detection.configured) {
    case 'host':
      return { configured: 'host', rung: 'host', warnings: hostWarnings(detection.isRoot) };
    case 'container':
      return detectContainer(detection);
    case 'proot':
      return detectProot(detection);
    default:
      return detectNamespaces(detection, detection.configured);
  }
}

async function detectNamespaces(detection: Detection, configured: Rung): Promise<SandboxReport> {
  const { isRoot } = detection;
  const search = await (detection.find ?? findBubblewrap)();
  if (search.found === undefined)
    return withoutBubblewrap(configured, search, isRoot, detection.distribution ?? readDistribution());
  const bubblewrap = { path: search.found.path, version: search.found.version };
  const sharesNetwork = configured === 'namespaces-shared-network';
  const problem = await (detection.tryOut ?? tryOut)(search.found, namespaceArgs(search.found, sharesNetwork));
  if (problem !== undefined) {
    const restricted = isRestrictedByAppArmor(detection.readKnob) ? ' (AppArmor restricts user namespaces here)' : '';
    const reason = `bubblewrap cannot make its namespaces on this machine${restricted}: ${problem}`;
    const fix = userNamespaceFix(isRoot, detection.readKnob, detection.distribution ?? readDistribution());
    return { configured, rung: undefined, reason, fix, bubblewrap, warnings: [] };
  }
  return { configured, rung: configured, bubblewrap, warnings: sandboxWarnings(search.found, detection) };
}

async function detectProot({ findProot: find = findProot, ...detection }: Detection): Promise<SandboxReport> {
  const { found, ...search } = await find();
  if (found === undefined) {
    const fix = installCommand(detection.distribution ?? readDistribution(), detection.isRoot, 'proot');
    const reason = 'reason' in search ? search.reason : 'proot is not installed';
    return { configured: 'proot', rung: undefined, reason, fix, warnings: [] };
  }
  const warnings = [prootWarning, ...(found.rewritesStatx ? [] : [statxWarning(found.version)])];
  return { configured: 'proot', rung: 'proot', program: found, warnings };
}

async function detectContainer({
  findContainer: find = findContainer,
  ...detection
}: Detection): Promise<SandboxReport> {
  const search = await find();
  const missing = { configured: 'container', rung: undefined, warnings: [] } as const;
  if (search.found === undefined) {
    const install = installCommand(detection.distribution ?? readDistribution(), detection.isRoot, 'podman');
    const fix = search.problem === 'missing' ? install : `start its service, or use podman (${install})`;
    return { ...missing, reason: search.reason, fix };
  }
  const { name, path, version } = search.found;
  const trial = await (detection.tryContainer ?? tryContainer)(search.found, detection.environment ?? {});
  if ('problem' in trial) {
    const reason = `${name} cannot start a container on this machine: ${trial.problem}`;
    return {
      ...missing,
      reason,
      fix: `make \`${name} run --rm --network none …\` work for this user`,
      program: { path, version },
    };
  }
  const warnings = trial.hasGroups
    ? []
    : ['Containers have no control groups on this machine: memory and processor time of commands are not limited.'];
  if (name === 'docker')
    warnings.push(
      "docker's service runs as root, and commands have no user namespace of their own: podman is the better choice.",
    );
  return { configured: 'container', rung: 'container', program: { path, version }, warnings };
}

/** What a refused command says: what is missing and what mends it. */
export function missingRungMessage(report: SandboxReport): string {
  const reason = report.reason ?? 'the sandbox is not available';
  const fix = report.fix === undefined ? '' : ` To fix it: ${report.fix}`;
  return `The sandbox is not ready, so no command was run: ${reason}.${fix}`;
}

function withoutBubblewrap(
  configured: Rung,
  search: BubblewrapSearch & { found: undefined },
  isRoot: boolean,
  distribution: Distribution,
): SandboxReport {
  const install = installCommand(distribution, isRoot);
  const path = search.reason.split(' ')[0] ?? 'bwrap';
  const fixes = {
    missing: install,
    'too-old': `install a newer bubblewrap (${install})`,
    broken: reinstallCommand(distribution, isRoot, 'bubblewrap'),
    setuid: isRoot ? `chmod u-s,g-s ${path}` : `sudo chmod u-s,g-s ${path}`,
  };
  return { configured, rung: undefined, reason: search.reason, fix: fixes[search.problem], warnings: [] };
}

function hostWarnings(isRoot: boolean): string[] {
  return [
    `Commands run without any sandbox, with all rights of ${isRoot ? 'the root user' : 'your user'}; set "sandbox.rung" to "namespaces" to change that.`,
  ];
}

function sandboxWarnings(bubblewrap: Bubblewrap, detection: Detection): string[] {
  const warnings: string[] = [];
  if (!isAtLeast(bubblewrap.version, '0.12.0')) {
    warnings.push(
      `bubblewrap ${bubblewrap.version} has CVE-2026-87766 (before 0.12.0 its set-up follows links): Handrail opens and compares every folder it binds, and mounts nothing below a folder that commands can rename; update bubblewrap when your distribution has 0.12.`,
    );
  }
  if (!bubblewrap.canDisableUserNamespaces && !detection.hasSeccomp) {
    warnings.push(`bubblewrap ${bubblewrap.version} cannot forbid further user namespaces inside; 0.8.0 or newer can.`);
  }
  if (!detection.hasSeccomp)
    warnings.push('No system-call filter is known for this processor: the kernel keyring is reachable.');
  if (detection.isRoot) {
    warnings.push(
      'Handrail runs as root. In a workspace that belongs to root, commands are that user too (without capabilities, with the kernel settings read-only). Better start it as an ordinary user.',
    );
  }
  if (detection.configured === 'namespaces-shared-network') {
    warnings.push("Commands share this machine's network: its own services on 127.0.0.1 are within their reach.");
  }
  return warnings;
}

function tryOut(bubblewrap: Bubblewrap, args: readonly string[]): Promise<string | undefined> {
  const view = ['--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--', '/bin/sh', '-c', ':'];
  return new Promise((resolve) => {
    execFile(bubblewrap.path, [...args, ...view], { timeout: 10_000, env: {}, cwd: '/' }, (error, _stdout, stderr) => {
      resolve(error === null ? undefined : stderr.trim().split('\n').at(-1) || error.message);
    });
  });
}
