/** The header that names a download: the name once for all and once as it is (RFC 6266, RFC 8187). */

export function attachmentNamed(name: string): string {
  const whole = name.toWellFormed();
  const simple = whole.replaceAll(/[^\w.-]/g, '_');
  const exact = encodeURIComponent(whole).replaceAll(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${simple}"; filename*=UTF-8''${exact}`;
}
