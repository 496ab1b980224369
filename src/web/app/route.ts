/** Which page an address names, and back. An address can only show something: it sends nothing and sets nothing. */

export type Route =
  /** `chat`: a new one while there is no id. */
  { readonly page: 'chat'; readonly conversationId?: string } | { readonly page: 'unknown' };

export function readRoute(path: string): Route {
  if (path === '/') return { page: 'chat' };
  const conversationId = /^\/chat\/([^/]+)\/?$/.exec(path)?.[1];
  if (conversationId === undefined) return { page: 'unknown' };
  try {
    return { page: 'chat', conversationId: decodeURIComponent(conversationId) };
  } catch {
    // A broken percent sign names nothing.
    return { page: 'unknown' };
  }
}

export function pathOf(route: Route): string {
  if (route.page === 'unknown' || route.conversationId === undefined) return '/';
  return `/chat/${encodeURIComponent(route.conversationId)}`;
}
