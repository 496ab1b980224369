/** The session's cookie. */

/** Cookies do not know ports, so the name does: two servers on one machine sign nobody out of each other. */
export const cookieNameFor = (port: number): string => `handrail_${port}`;

/** The value of the cookie with this name; undefined when there is none, or more than one. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`));
  return values.length === 1 ? values[0]?.slice(name.length + 1) : undefined;
}

/** No script can read it, and no other site can make a browser send it. */
export function cookieHeader(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}`;
}
