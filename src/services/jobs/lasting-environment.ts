/** What of our environment a supervisor may keep for as long as jobs run: the session and where packages come from, never a key. */
import { launcherEnvironment } from '../sandbox/find-container.ts';
import { hostEnvironment } from '../sandbox/sandbox-environment.ts';

/** Configuration of package managers that names places; what may be a secret is not among them. */
const placeNames =
  /^(npm_config_|NPM_CONFIG_)(registry|REGISTRY|userconfig|USERCONFIG|globalconfig|GLOBALCONFIG)$|^PIP_(CONFIG_FILE|INDEX_URL|EXTRA_INDEX_URL|FIND_LINKS)$|^(GOPROXY|GOENV|CARGO_HOME)$/;

export function lastingEnvironment(own: NodeJS.ProcessEnv): Record<string, string> {
  const { PATH: _launcherPath, ...launcher } = launcherEnvironment(own);
  const lasting: Record<string, string> = { ...launcher, ...hostEnvironment(own) };
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && placeNames.test(name)) lasting[name] = withoutPassword(value);
  }
  return lasting;
}

/** An address may carry a name and a password before its host. */
function withoutPassword(text: string): string {
  return text.replaceAll(/(:\/\/)[^/\s@]*@/g, '$1');
}
