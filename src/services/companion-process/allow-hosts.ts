/** Companions outlive the calls in which a person could be asked: what was allowed already is allowed to them by name. */
import type { CompanionSources } from './companion-place.ts';

export function allowHosts(sources: CompanionSources, hosts: readonly string[]): CompanionSources {
  const { settings } = sources;
  const { network } = settings.sandbox;
  const allow = [...new Set([...network.allow, ...hosts])];
  return { ...sources, settings: { ...settings, sandbox: { ...settings.sandbox, network: { ...network, allow } } } };
}
