/** Makes services on first use and hands each call faces that are bound to it. */
import type { CallScope, ServiceName, ServiceOwner, Services } from '../contract/services.ts';

export type ServiceMakers = { readonly [Name in ServiceName]: () => Promise<ServiceOwner<Services[Name]>> };

export type ServiceBinder = {
  /** The services named, made if need be, bound to the call. */
  bind(names: readonly ServiceName[], scope: CallScope): Promise<Services>;
  /** The owner itself, for what is not a call (access resolution, doctor). */
  owner<Name extends ServiceName>(name: Name): ReturnType<ServiceMakers[Name]>;
  loadedNames(): readonly ServiceName[];
  close(): Promise<void>;
};

export function createServiceBinder(makers: ServiceMakers): ServiceBinder {
  const made = new Map<ServiceName, Promise<ServiceOwner<unknown>>>();

  function ownerOf(name: ServiceName): Promise<ServiceOwner<unknown>> {
    let owner = made.get(name);
    if (owner === undefined) {
      owner = makers[name]();
      made.set(name, owner);
      // A maker that failed is tried again by the next call; the caller sees this failure.
      owner.catch(() => made.delete(name));
    }
    return owner;
  }

  return {
    async bind(names, scope) {
      const faces: Partial<Record<ServiceName, unknown>> = {};
      for (const name of names) faces[name] = (await ownerOf(name)).forCall(scope);
      return faces as Services;
    },
    owner: ((name: ServiceName) => ownerOf(name)) as ServiceBinder['owner'],
    loadedNames: () => [...made.keys()],
    async close() {
      const owners = [...made.values()].reverse();
      made.clear();
      for (const owner of owners) await (await owner.catch(() => undefined))?.close();
    },
  };
}
