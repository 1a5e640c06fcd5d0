/** Addresses of this machine (RFC 8252 section 7.3), and the addresses to which secrets may be sent. */

const HOST = /^(localhost|\[::1]|127(\.\d{1,3}){3})$/
const ORIGIN = /^https?:\/\/(.*?)(:\d+)?$/

export const isLoopback = (hostname: string): boolean => HOST.test(hostname)

/** The same for an origin. */
export const isLoopbackOrigin = (origin: string): boolean => isLoopback(ORIGIN.exec(origin)?.[1] ?? '')

/** `https:` anywhere, `http:` on this machine only. */
export const isSecure = ({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean =>
  protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
