/** The caller of a backend that causes a request to the service, which decides how much of the application's limits the request may take. */

/**
 * `session`: a session that the service has just confirmed, whose tokens are fetched or replaced. `refused`: a session whose page says that
 * tokens that last were refused. `player`: a verified player. `stranger`: anybody else, by address. An address is empty if it is unknown.
 */
export type Caller =
  | { readonly kind: 'session' }
  | { readonly kind: 'refused' | 'player'; readonly id: string }
  | { readonly kind: 'stranger'; readonly address: string }

/** Headers in which a proxy names the caller, the most reliable first. */
const HEADERS = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip']
const ADDRESS = /^[\da-fA-F:.]{2,45}$/
/** Groups of an IPv6 address that one household has for itself. */
const NETWORK = 4

/** Somebody of whom no more is known than the address. */
export function strangerOf(request: string | Request): Caller {
  return { kind: 'stranger', address: typeof request === 'string' ? '' : addressOf(request.headers) }
}

/**
 * The address that the nearest proxy has seen, the last of its list: those before it come from the caller. `toNodeListener` adds the address of a
 * connection from outside.
 */
function addressOf(headers: Headers): string {
  for (const name of HEADERS) {
    const last = headers.get(name)?.split(',').at(-1)?.trim() ?? ''
    if (ADDRESS.test(last))
      return last.includes(':') && !last.includes('.') ? last.split(':').slice(0, NETWORK).join(':') : last
  }
  return ''
}
