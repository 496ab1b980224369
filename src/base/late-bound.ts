/** A face that looks anew, at each call, who answers now. */

type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/** Every member is a method: each call goes to what `find` gives at that moment. */
export function lateBound<Face extends Methods>(find: () => Promise<Face>): Face {
  const ask =
    (name: string) =>
    async (...args: never[]): Promise<unknown> =>
      (await find())[name]?.(...args);
  return new Proxy({} as Face, {
    // Without `then`, so that it is never taken for a promise.
    get: (_target, name) => (typeof name === 'symbol' || name === 'then' ? undefined : ask(name)),
  });
}
