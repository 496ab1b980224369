/** What every request passes before anything looks at it: streams, upgrades and static files included. */
import type { IncomingMessage } from 'node:http';
import type { AllowedPlaces } from './allowed-places.ts';
import { type Refusal, refusal } from './request-failure.ts';

export type GuardedRequest = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'>;

/** Each can be swapped out by a test, to show that it is what holds. */
export type Guards = {
  /** DNS rebinding: the page of a name that was pointed at us says that name. */
  host(request: GuardedRequest): Refusal | undefined;
  /** Pages of other sites, and of other programs on this machine. */
  origin(request: GuardedRequest): Refusal | undefined;
  /** The same by what browsers say of themselves (Fetch Metadata), also where they send no Origin. */
  site(request: GuardedRequest): Refusal | undefined;
  /** Whether the cookies hold a session. */
  isSignedIn(cookies: string | undefined): boolean;
  /** A form of a foreign page can send text and form data, but no JSON without being asked about first. */
  isJson(contentType: string | undefined): boolean;
  /** Nor can it name this type, or send a header of its own: a file is taken only with both. */
  isSentFile(contentType: string | undefined, mark: string | undefined): boolean;
  /** Whether a body of so many bytes may come where `maxBytes` are foreseen. */
  fits(bytes: number, maxBytes: number): boolean;
};

export function createGuards(places: AllowedPlaces, isSignedIn: Guards['isSignedIn']): Guards {
  return {
    isSignedIn,
    isJson: (contentType) => /^application\/json\s*(?:;\s*charset=utf-8\s*)?$/i.test(contentType ?? ''),
    isSentFile: (contentType, mark) => contentType === 'application/octet-stream' && mark === '1',
    fits: (bytes, maxBytes) => bytes <= maxBytes,
    host(request) {
      const hosts = named(request, 'host');
      const isAsked = hosts.length === 1 && places.isHost(hosts[0] ?? '') && request.url?.startsWith('/') === true;
      if (isAsked) return undefined;
      return refusal(
        'wrong_host',
        'This server does not answer to that name. Use the address that `handrail serve` printed.',
      );
    },
    origin(request) {
      const origins = named(request, 'origin');
      const [origin] = origins;
      const [host = ''] = named(request, 'host');
      if (origin === undefined) return changes(request) ? foreign() : undefined;
      return origins.length === 1 && places.isOrigin(origin, host) ? undefined : foreign();
    },
    site(request) {
      const sites = named(request, 'sec-fetch-site');
      if (isLinkOpened(request)) return undefined;
      return sites.every((site) => site === 'same-origin' || site === 'none') ? undefined : foreign();
    },
  };
}

/** A link may be opened from anywhere (a mail, a file of ours): whoever knows its secret may come in, once; nobody can guess it. */
function isLinkOpened(request: GuardedRequest): boolean {
  const [mode, destination] = [named(request, 'sec-fetch-mode'), named(request, 'sec-fetch-dest')];
  const isPageOpened = mode.join() === 'navigate' && destination.join() === 'document';
  return request.method === 'GET' && isPageOpened && request.url?.startsWith('/link/') === true;
}

const foreign = (): Refusal =>
  refusal('foreign', 'This came from another page. Open the address of Handrail itself, not a link on another site.');

function changes(request: GuardedRequest): boolean {
  const isReading = request.method === 'GET' || request.method === 'HEAD';
  return !isReading || named(request, 'upgrade').length > 0;
}

/** All of a name: Node's own table keeps only the first of two. */
function named({ rawHeaders }: GuardedRequest, name: string): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
