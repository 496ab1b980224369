/** Where programs in a sandbox find the way out, and what else of ours they are shown for it. */

/** Of the listener inside; in a network namespace of its own nobody else has it. */
export const insidePort = 3128;
/** Ours, shown read-only. */
export const insideFolder = '/run/handrail-net';

export const insideProxy = `http://127.0.0.1:${insidePort}`;
export const insideFile = (name: string): string => `${insideFolder}/${name}`;
