/** Tells the watch over trusted files what granted calls of the file tools write there, so that it is not taken for a command's doing. */
import type { Files, ServiceOwner } from '../../contract/services.ts';
import type { TrustedFiles } from './create-trusted-files.ts';

/** `trusted`: undefined as long as no command has run, and nobody watches. */
export function approveWrites<Owner extends ServiceOwner<Files>>(
  owner: Owner,
  trusted: () => Promise<TrustedFiles> | undefined,
): Owner {
  return {
    ...owner,
    forCall(scope) {
      const files = owner.forCall(scope);
      const places = scope.granted.flatMap((access) =>
        access.kind === 'path' && access.zone === 'trusted' && access.mode === 'write' ? [access.realPath] : [],
      );
      if (places.length === 0) return files;
      return {
        ...files,
        async write(path, bytes, options) {
          const watch = await trusted();
          // Before it is there: a look at this very moment must know of it.
          for (const place of places) watch?.approve(scope.conversation.workspace, place, bytes);
          return files.write(path, bytes, options);
        },
      };
    },
  };
}
