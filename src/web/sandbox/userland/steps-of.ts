/** The steps of a piece of work on the userland, as a list that is there from the beginning. Pure. */
import type { UserlandProgress, UserlandStep } from '../../../contract/userland.ts';
import type { WebSandboxAction, WebSandboxWork } from '../../../contract/web-sandbox.ts';

export type StepLook = 'waiting' | 'running' | 'done' | 'failed' | 'stopped';

export type WorkStep = {
  readonly step: UserlandStep;
  readonly look: StepLook;
  /** Omitted: it has not begun, or had nothing to do. */
  readonly progress?: UserlandProgress;
};

const alpine: readonly UserlandStep[] = ['look', 'download', 'verify', 'unpack', 'repositories', 'packages', 'ready'];
/** Its packages are what it is unpacked from. */
const debian: readonly UserlandStep[] = ['look', 'download', 'unpack', 'packages', 'repositories', 'ready'];

function plannedSteps(action: WebSandboxAction): readonly UserlandStep[] {
  switch (action.kind) {
    case 'install':
      if (action.distribution === 'debian') return debian;
      return action.isBare === true ? alpine.filter((step) => step !== 'packages') : alpine;
    case 'add-basic':
      return ['packages'];
    case 'uninstall':
      return ['remove'];
    case 'reset':
    case 'install-packages':
    case 'remove-packages':
      return [];
  }
}

export function stepsOf({ action, progress, end }: WebSandboxWork): readonly WorkStep[] {
  const planned = plannedSteps(action);
  const unplanned = progress.map(({ step }) => step).filter((step) => !planned.includes(step));
  const all = [...planned, ...unplanned];
  const current = progress.at(-1)?.step ?? all[0];
  const at = current === undefined ? -1 : all.indexOf(current);
  const isWhole = end !== undefined && end.problem === undefined && !end.isStopped;
  return all.map((step, place) => {
    const known = progress.find((each) => each.step === step);
    const look = isWhole || place < at ? 'done' : place > at ? 'waiting' : lookOf(end);
    return known === undefined ? { step, look } : { step, look, progress: known };
  });
}

function lookOf(end: WebSandboxWork['end']): StepLook {
  if (end === undefined) return 'running';
  return end.isStopped ? 'stopped' : 'failed';
}
