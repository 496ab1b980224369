/** What commands may use of the machine, weighed: a little more is nobody's harm, far more is as good as no limit. */
import { availableParallelism, totalmem } from 'node:os';
import type { LimitSettings } from '../../contract/settings.ts';
import { named, type Weighed } from './weigh-change.ts';

const farTimes = 4;
const bytesPerMegabyte = 1024 * 1024;

/** Lower is weaker. */
const floors: readonly (keyof LimitSettings)[] = ['freeMegabytes', 'freeFiles'];

/** A figure that settings leave to the machine is weighed as what the machine makes of it. */
function figureOf(limits: LimitSettings, name: keyof LimitSettings): number {
  if (name === 'memoryMegabytes') return limits[name] ?? (totalmem() / bytesPerMegabyte) * 0.75;
  return name === 'cpus' ? (limits[name] ?? availableParallelism()) : limits[name];
}

/** Small steps do not add up: they are weighed against what was confirmed, not against the step before. */
export function weighLimits(last: LimitSettings, wanted: LimitSettings): Weighed<LimitSettings> {
  const inForce: Figures = { ...wanted };
  const kept: Figures = { ...wanted };
  const changed: string[] = [];
  const names = new Set([...Object.keys(last), ...Object.keys(wanted)] as (keyof LimitSettings)[]);
  for (const name of names) {
    const [before, now] = [figureOf(last, name), figureOf(wanted, name)];
    const isFloor = floors.includes(name);
    if (isFloor ? now >= before : now <= before) continue;
    set(kept, name, last[name]);
    if (isFloor ? now * farTimes >= before : now <= before * farTimes) continue;
    set(inForce, name, last[name]);
    changed.push(`${name} from ${last[name] ?? 'what the machine has'} to ${wanted[name] ?? 'what the machine has'}`);
  }
  if (changed.length === 0) return { inForce: inForce as LimitSettings, kept: kept as LimitSettings };
  const change = `moves limits of sandbox.limits far, which lets commands use much more of this machine: ${named(changed)}`;
  return { inForce: inForce as LimitSettings, kept: kept as LimitSettings, change };
}

type Figures = { -readonly [Name in keyof LimitSettings]?: number };

function set(figures: Figures, name: keyof LimitSettings, value: number | undefined): void {
  if (value === undefined) delete figures[name];
  else figures[name] = value;
}
