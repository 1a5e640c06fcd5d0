/** The URL of a Node request, from its target and its host (RFC 9112 section 3). */

/** Host and port of RFC 3986: no character that would begin a path, a query, a fragment or user info. */
const HOST = /^(\[[\da-f:.]+\]|[\w.~!$&'()*+,;=%-]+)(:\d{0,5})?$/i
/** Segments that a URL removes: the handler would see another path than a router in front of it. */
const DOT_SEGMENT = /\\|\/(\.|%2e){1,2}(\/|$)/i

/** URL of a request: the host of its header, and the path and query of its target. @throws TypeError if they are ambiguous. */
export function targetUrl(
  url = '/',
  headers: Readonly<Record<string, string | string[] | undefined>> = {},
): string {
  const host = String(headers['host'] ?? headers[':authority'] ?? 'localhost')
  const [, scheme = 'http', named, target = ''] = /^(?:(https?):\/\/([^/?#]*))?([/?][^#]*)?$/i.exec(url) ?? []
  // A proxy may send an absolute target: it names the same host (RFC 9112 section 3.2.2).
  const isOther = named !== undefined && named.toLowerCase() !== host.toLowerCase()
  const path = /^[^?]*/.exec(target)?.[0] ?? ''
  if (!HOST.test(host) || isOther || (target === '' && named === undefined) || DOT_SEGMENT.test(path))
    throw new TypeError('target')
  return `${scheme}://${host}${target}`
}
