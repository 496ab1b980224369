/** Makes a thing on first use and keeps it. */

/** A maker that failed is tried again by the next use. */
export function once<Made>(
  make: () => Promise<Made>,
): (() => Promise<Made>) & { readonly made: () => Promise<Made> | undefined } {
  let made: Promise<Made> | undefined;
  const get = () => {
    if (made === undefined) {
      made = make();
      made.catch(() => (made = undefined));
    }
    return made;
  };
  return Object.assign(get, { made: () => made });
}
