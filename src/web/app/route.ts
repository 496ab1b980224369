/** Which page an address names, and back. An address can only show something: it sends nothing and sets nothing. */

export type Route =
  /** `chat`: a new one while there is no id. */
  | { readonly page: 'chat'; readonly conversationId?: string }
  /** `section`: one of settings/sections.ts. Omitted: the first. */
  | { readonly page: 'settings'; readonly section?: string }
  /** `query`: its filters, as they stand behind `?`. Omitted: none. */
  | { readonly page: 'activity'; readonly query?: string }
  /** `tool`: the name of the one to try. Omitted: to be chosen. */
  | { readonly page: 'tool'; readonly tool?: string }
  /** The first steps. */
  | { readonly page: 'welcome' }
  | { readonly page: 'unknown' };

/** `search`: what stands behind the path, with its `?`. */
export function readRoute(path: string, search = ''): Route {
  const [first, second, ...rest] = path.slice(1).replace(/\/$/, '').split('/').map(decoded);
  if (rest.length > 0 || second === '' || first === undefined || [first, second].includes(broken)) return unknown;
  if (path === '/') return { page: 'chat' };
  if (first === 'chat' && second !== undefined) return { page: 'chat', conversationId: second };
  if (first === 'welcome' && second === undefined) return { page: 'welcome' };
  if (first === 'settings') return second === undefined ? { page: 'settings' } : { page: 'settings', section: second };
  if (first === 'tool') return second === undefined ? { page: 'tool' } : { page: 'tool', tool: second };
  if (first === 'activity' && second === undefined)
    return search.length > 1 ? { page: 'activity', query: search.slice(1) } : { page: 'activity' };
  return unknown;
}

export function pathOf(route: Route): string {
  switch (route.page) {
    case 'chat':
      return pathWith('/', route.conversationId === undefined ? undefined : `chat/`, route.conversationId);
    case 'settings':
      return pathWith('/settings', '/', route.section);
    case 'tool':
      return pathWith('/tool', '/', route.tool);
    case 'activity':
      return route.query === undefined ? '/activity' : `/activity?${route.query}`;
    case 'welcome':
      return '/welcome';
    case 'unknown':
      return '/';
  }
}

const unknown: Route = { page: 'unknown' };

/** No name can be this one: it holds a slash that was not escaped. */
const broken = '/';

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A broken percent sign names nothing.
    return broken;
  }
}

const pathWith = (base: string, between: string | undefined, name: string | undefined): string =>
  name === undefined ? base : `${base}${between ?? ''}${encodeURIComponent(name)}`;
