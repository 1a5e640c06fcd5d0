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
/** Longest text of an address, in brackets and with its port. */
const MAX_ADDRESS = 64
const V4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const GROUP = /^[\da-f]{1,4}$/i
/** Groups of an IPv6 address, and those that one household has for itself. */
const GROUPS = { all: 8, network: 4 }

/** Somebody of whom no more is known than the address. */
export function strangerOf(request: string | Request): Caller {
  return { kind: 'stranger', address: typeof request === 'string' ? '' : addressOf(request.headers) }
}

/**
 * The address that the nearest proxy has seen, the last of its list: those before it come from the caller. `toNodeListener` adds the address of a
 * connection from outside. A header that names none is not replaced by a less reliable one, which the caller may have written.
 */
function addressOf(headers: Headers): string {
  const found = HEADERS.map((name) => headers.get(name)).find((text) => text !== null)
  return readAddress(found?.split(',').at(-1)?.trim() ?? '')
}

/** One text for each IPv4 address, and for each IPv6 network of a household, however it is written. Some proxies add the port of the connection. */
function readAddress(text: string): string {
  if (text.length > MAX_ADDRESS) return ''
  const [inBrackets] = text.startsWith('[') ? text.slice(1).split(']') : []
  const [beforePort = '', ...ports] = text.split(':')
  const address = (inBrackets ?? (ports.length === 1 ? beforePort : text)).split('%')[0] ?? ''
  // An IPv4 address may be the end of an IPv6 address that stands for it.
  const end = address.slice(address.lastIndexOf(':') + 1)
  return end.includes('.') ? readV4(end) : networkOf(address)
}

const readV4 = (text: string): string => (V4.test(text) ? text.split('.').map(Number).join('.') : '')

/** Empty for what is no IPv6 address. */
function networkOf(address: string): string {
  const [head = '', tail, ...others] = address.split('::')
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')]
  const missing = GROUPS.all - first.length - last.length
  const isWhole = tail === undefined ? missing === 0 : missing > 0
  if (!isWhole || others.length > 0 || ![...first, ...last].every((group) => GROUP.test(group))) return ''
  const groups = [...first, ...Array<string>(missing).fill('0'), ...last].map((group) =>
    Number.parseInt(group, 16).toString(16),
  )
  // Without a network, for example of this machine, or an IPv4 address in another form.
  const network = groups.slice(0, GROUPS.network)
  return (network.every((group) => group === '0') ? groups : network).join(':')
}

const groupsOf = (part: string): readonly string[] => (part === '' ? [] : part.split(':'))
