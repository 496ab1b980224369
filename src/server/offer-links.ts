/** Links to the server: for whoever starts a second one of its state folder, and for the browser of the desktop. */
import { tmpdir } from 'node:os';
import { SetupFailure } from '../contract/failure.ts';
import { createLinkPages } from './link-pages.ts';
import { askForLink, openLinkSocket } from './link-socket.ts';

export type OfferedLinks = {
  /** The path of a short-lived file that leads a browser to a link of its own. */
  page(): string;
  close(): Promise<void>;
};

/** `folder` undefined: nobody else finds this server. */
export async function offerLinks(
  folder: string | undefined,
  { url, newLink }: { readonly url: string; readonly newLink: () => string },
): Promise<OfferedLinks> {
  const pages = createLinkPages(folder ?? tmpdir());
  const page = (): string => pages.write(newLink());
  const socket =
    folder === undefined ? undefined : await openLinkSocket(folder, () => ({ url, link: newLink(), page: page() }));
  if (socket !== undefined) pages.sweep();
  return {
    page,
    async close() {
      pages.close();
      await socket?.close();
    },
  };
}

/** The one of this folder that has the port already. Rethrows where it is somebody else's. */
export async function serverElsewhere(folder: string | undefined, wantedPort: number, error: unknown) {
  const isTaken = error instanceof SetupFailure && (error.cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
  const offer = isTaken && folder !== undefined ? await askForLink(folder) : undefined;
  if (offer === undefined || Number(new URL(offer.url).port) !== wantedPort) throw error;
  const { url, link, page } = offer;
  return { port: wantedPort, url, isElsewhere: true, newLink: () => link, linkPage: () => page, close: async () => {} };
}
