/** What we know of a model from its name: the catalogue's figures, what a local server can bear, what the settings say. */
import type { ModelInfo } from '../contract/model.ts';
import type { ModelPrice, ModelServiceSettings, Settings } from '../contract/settings.ts';
import catalogue from './catalogue.json' with { type: 'json' };

type Entry = {
  /** Regular expression over the provider's own name for the model, in lower case. The first entry that fits counts. */
  readonly match: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly images: boolean;
  /** Dollars per million tokens: input, output, cached input and cache writes where they differ. */
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
  /** Of the user; they hold for local models too. */
  readonly prices?: Settings['prices'];
}): ModelInfo {
  const { settings } = model;
  const entry = findEntry(model.modelId);
  const billions = model.isLocal ? countBillions(model.modelId) : undefined;
  const window = model.isLocal ? Math.min(localWindow(billions), entry.contextWindow) : entry.contextWindow;
  const contextWindow = settings?.contextWindow ?? window;
  const known = model.isLocal || !entry.price ? undefined : toPrice(entry.price);
  const price = findPrice(model.id, model.prices ?? {}) ?? known;
  return {
    id: model.id,
    contextWindow,
    maxOutputTokens: settings?.maxOutputTokens ?? Math.min(entry.maxOutput, Math.floor(contextWindow / 2)),
    acceptsImages: entry.images,
    hasNativeCalls: settings?.nativeCalls ?? true,
    isSmall: settings?.isSmall ?? (billions !== undefined && billions <= smallBillions),
    ...(price && { price }),
  };
}

function findEntry(modelId: string): Entry {
  const name = modelId.toLowerCase();
  const models: readonly Entry[] = catalogue.models;
  return models.find((entry) => new RegExp(entry.match).test(name)) ?? catalogue.unknown;
}

function toPrice([input = 0, output = 0, cachedInput, cacheWrite]: readonly number[]): ModelPrice {
  return {
    input,
    output,
    ...(cachedInput !== undefined && { cachedInput }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  };
}

/** The first pattern that fits; `*` stands for any text, slashes too. */
function findPrice(id: string, prices: Settings['prices']): ModelPrice | undefined {
  return Object.entries(prices).find(([pattern]) => fits(id.toLowerCase(), pattern.toLowerCase().split('*')))?.[1];
}

/** `pieces` in their order, the first at the beginning and the last at the end. */
function fits(id: string, [first = '', ...pieces]: readonly string[]): boolean {
  if (!id.startsWith(first)) return false;
  if (pieces.length === 0) return id === first;
  let at = first.length;
  for (const piece of pieces.slice(0, -1)) {
    const found = id.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  const last = pieces.at(-1) ?? '';
  return id.length - last.length >= at && id.endsWith(last);
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
