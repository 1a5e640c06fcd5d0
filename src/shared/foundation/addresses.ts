/** Addresses of this machine (RFC 8252 section 7.3), addresses to which secrets may be sent, and their texts. */

const HOST = /^(localhost|\[::1]|127(\.\d{1,3}){3})$/
const ORIGIN = /^https?:\/\/(.*?)(:\d+)?$/

export const isLoopback = (hostname: string): boolean => HOST.test(hostname)

/** The same for an origin. */
export const isLoopbackOrigin = (origin: string): boolean => isLoopback(ORIGIN.exec(origin)?.[1] ?? '')

/** `https:` anywhere, `http:` on this machine only. */
export const isSecure = ({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))

/** A remedy for an answer that is not that of the handler at this address. Names its path alone, since a query may hold more. */
export const askForHandler = (handler: string, url: string): string => {
  const { origin, pathname } = new URL(url)
  return `Does ${handler} answer at ${origin}${pathname}? Give it that path, with every method`
}

/** Cuts the slashes at the end of an address. Not by a pattern: `/\/+$/` takes quadratic time for many slashes before another character. */
export function withoutEndSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
