/** What the providers' own counts say about ours, per model. */

/** How many counts are remembered; the one in their middle corrects, so that single wrong ones change nothing. */
const remembered = 5;
/** A provider's figure outside of this, as a multiple of ours, is a mistake of its own: it is not believed. */
const believable = { from: 0.6, to: 2.5 };

export type Calibration = {
  /** `counted`: what the provider said that a request took which we had counted as `rough`. */
  observe(model: string, rough: number, counted: number): void;
  /** The provider said that a request which we had counted as `rough` is too long. */
  refuse(model: string, rough: number): void;
  /** How many tokens there are in one of our own. 1 until something is known. */
  ratio(model: string): number;
  /** The smallest request that was refused, in our own count; Infinity when none was. */
  refused(model: string): number;
};

export function createCalibration(): Calibration {
  const ratios = new Map<string, number[]>();
  const refusals = new Map<string, number>();
  return {
    observe(model, rough, counted) {
      const ratio = counted / rough;
      if (!(ratio >= believable.from && ratio <= believable.to)) return;
      ratios.set(model, [...(ratios.get(model) ?? []), ratio].slice(-remembered));
    },
    refuse: (model, rough) => void refusals.set(model, Math.min(rough, refusals.get(model) ?? rough)),
    ratio: (model) => {
      const sorted = (ratios.get(model) ?? []).toSorted((left, right) => left - right);
      return sorted[Math.floor(sorted.length / 2)] ?? 1;
    },
    refused: (model) => refusals.get(model) ?? Number.POSITIVE_INFINITY,
  };
}
