/** What we know of a model from its name: the catalogue's figures, what a local server can bear, what the settings say. */
import type { ModelInfo } from '../contract/model.ts';
import type { ModelServiceSettings } from '../contract/settings.ts';
import catalogue from './catalogue.json' with { type: 'json' };

type Entry = {
  /** Regular expression over the provider's own name for the model, in lower case. The first entry that fits counts. */
  readonly match: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly images: boolean;
  /** Dollars per million tokens: input, output, and cached input where it is cheaper. */
  readonly price?: readonly number[];
};

type LocalSize = { readonly upToBillions: number; readonly contextWindow: number };

/** Up to this many billions of parameters a model on the user's own machine counts as small. */
const smallBillions = 9;

export function describeModel(model: {
  readonly id: string;
  readonly modelId: string;
  readonly isLocal: boolean;
  readonly settings?: ModelServiceSettings;
}): ModelInfo {
  const { settings } = model;
  const entry = findEntry(model.modelId);
  const billions = model.isLocal ? countBillions(model.modelId) : undefined;
  const window = model.isLocal ? Math.min(localWindow(billions), entry.contextWindow) : entry.contextWindow;
  const contextWindow = settings?.contextWindow ?? window;
  return {
    id: model.id,
    contextWindow,
    maxOutputTokens: settings?.maxOutputTokens ?? Math.min(entry.maxOutput, Math.floor(contextWindow / 2)),
    acceptsImages: entry.images,
    hasNativeCalls: settings?.nativeCalls ?? true,
    isSmall: settings?.isSmall ?? (billions !== undefined && billions <= smallBillions),
    ...(!model.isLocal && entry.price && { price: toPrice(entry.price) }),
  };
}

function findEntry(modelId: string): Entry {
  const name = modelId.toLowerCase();
  const models: readonly Entry[] = catalogue.models;
  return models.find((entry) => new RegExp(entry.match).test(name)) ?? catalogue.unknown;
}

function toPrice([input = 0, output = 0, cachedInput]: readonly number[]): NonNullable<ModelInfo['price']> {
  return { input, output, ...(cachedInput !== undefined && { cachedInput }) };
}

function localWindow(billions: number | undefined): number {
  const sizes: readonly LocalSize[] = catalogue.localSizes;
  const fitting = billions === undefined ? undefined : sizes.find((size) => billions <= size.upToBillions);
  return fitting?.contextWindow ?? catalogue.localDefault.contextWindow;
}

/** `qwen3:8b` 8, `qwen3-30b-a3b` 30, `mixtral:8x7b` 56, `gemma3:270m` 0.27; undefined when the name does not tell. */
function countBillions(modelId: string): number | undefined {
  const counts: number[] = [];
  const shape = /(?<![a-z0-9.])(?:(\d+)x)?e?(\d+(?:\.\d+)?)([bm])(?![a-z0-9])/g;
  for (const [, times, count, unit] of modelId.toLowerCase().matchAll(shape)) {
    counts.push((Number(times ?? 1) * Number(count)) / (unit === 'm' ? 1000 : 1));
  }
  if (counts.length > 0) return Math.max(...counts);
  const name = modelId.toLowerCase();
  return catalogue.localFamilies.find((family) => new RegExp(family.match).test(name))?.billions;
}
