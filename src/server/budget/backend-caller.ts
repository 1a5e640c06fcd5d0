/** The caller of a backend that causes a request to the service, which decides how much of the application's limits the request may take. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { takeOptions } from '../../shared/foundation/take-options'
import { isRecord } from '../../shared/foundation/untrusted-values'

/**
 * `session`: a session that the service has just confirmed, whose tokens are fetched or replaced. `refused`: a session whose page says that
 * tokens that last were refused. `player`: a verified player. `stranger`: anybody else, by address. An address is empty if it is unknown.
 */
export type BackendCaller =
  | { readonly kind: 'session' }
  | { readonly kind: 'refused' | 'player'; readonly id: string }
  | { readonly kind: 'stranger'; readonly address: string }

/** Where the proxy in front of a backend writes the address of whoever calls. */
export interface CallerAddress {
  /**
   * Name of the header. The proxy has to replace what a caller has written there, for example in `x-real-ip` and `cf-connecting-ip`, or to add to
   * it, as in `x-forwarded-for`. No other header is read then.
   */
  header: string
  /** Number of your proxies that add to `x-forwarded-for`, one after another: the caller is as many entries from the end. Default: 1. */
  proxies?: number | undefined
}

/** Reads who a stranger is. */
export type StrangerReader = (request: string | Request) => BackendCaller

/** Headers in which a proxy may name the caller, if nobody has said which one. */
const HEADERS = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip']
/** Ends of the names of headers that hold addresses. Each proxy adds to those with the first one. */
const LIST = 'forwarded-for'
const SINGLE = ['ip', 'address']
const NAME = /^[a-z\d-]{1,64}$/
const MAX_PROXIES = 10
/** Stands for all whose address is unclear: together they have what one address has. */
const UNCLEAR = 'unclear'
export const UNCLEAR_REMEDY =
  "Headers of a request name different addresses: say which one your proxy writes, for example callerAddress: { header: 'x-real-ip' }"
/** Longest text of an address, in brackets and with its port. */
const MAX_ADDRESS = 64
const V4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
const GROUP = /^[\da-f]{1,4}$/i
/** Groups before an IPv4 address that is written as one of IPv6. */
const MAPPED = ['0', '0', '0', '0', '0', 'ffff']
/** Groups of an IPv6 address, and those that one household has for itself. */
const GROUPS = { all: 8, network: 4 }

/**
 * Creates the only function that reads the address of a caller.
 *
 * @param onUnclear called once, when headers of a request name different addresses, and nobody has said which one counts.
 * @throws ConfigurationError `invalid_argument`.
 */
export function createStrangerReader(
  given: CallerAddress | undefined,
  onUnclear: () => void,
): StrangerReader {
  const read = given === undefined ? createCautiousReader(onUnclear) : createHeaderReader(given)
  return (request) => ({
    kind: 'stranger',
    address: typeof request === 'string' ? '' : read(request.headers),
  })
}

/** By the header that the game names. Of a list, the entry that the outermost proxy of the game has added: those before it come from the caller. */
function createHeaderReader(given: CallerAddress): (headers: Headers) => string {
  const { header, proxies } = requireCallerAddress(given)
  return (headers) => {
    const entries = headers.get(header)?.split(',') ?? []
    if (isList(header)) return readAddress(entries.at(-proxies)?.trim() ?? '')
    // A second one is the caller's own.
    return entries.length > 1 ? UNCLEAR : readAddress(entries[0]?.trim() ?? '')
  }
}

/**
 * By the headers that proxies usually write. A proxy that writes one of them passes on what the caller has written into the others: if two name
 * different addresses, nobody knows whose they are. `toNodeListener` adds the address of a connection from outside.
 */
function createCautiousReader(onUnclear: () => void): (headers: Headers) => string {
  let isReported = false
  return (headers) => {
    const texts = HEADERS.map((name) => headers.get(name)).filter((text) => text !== null)
    const [address = '', ...others] = new Set(
      texts.map((text) => readAddress(text.split(',').at(-1)?.trim() ?? '')),
    )
    if (others.length === 0) return address
    if (!isReported) onUnclear()
    isReported = true
    return UNCLEAR
  }
}

const isList = (header: string): boolean => header.endsWith(LIST)

/** @throws ConfigurationError `invalid_argument`. */
function requireCallerAddress(given: CallerAddress): { header: string; proxies: number } {
  if (!isRecord(given))
    throw new ConfigurationError('invalid_argument', 'callerAddress', {
      remedy: "Pass an object with the name of the header: { header: 'x-real-ip' }",
    })
  const { header: name, proxies = 1 } = takeOptions(given, ['header', 'proxies'], 'callerAddress.')
  const header = typeof name === 'string' ? name.toLowerCase() : ''
  if (!NAME.test(header) || !(isList(header) || SINGLE.some((end) => header.endsWith(end))))
    throw new ConfigurationError('invalid_argument', 'callerAddress.header', {
      remedy:
        "Pass the name of the one header in which your proxy writes an address, such as 'x-real-ip' or 'x-forwarded-for'",
    })
  if (!Number.isInteger(proxies) || proxies < 1 || proxies > MAX_PROXIES)
    throw new ConfigurationError('invalid_argument', 'callerAddress.proxies', {
      remedy: `Pass the number of your proxies, from 1 to ${MAX_PROXIES}`,
    })
  if (proxies > 1 && !isList(header))
    throw new ConfigurationError('invalid_argument', 'callerAddress.proxies', {
      remedy: `Each proxy replaces ${header}: leave proxies out, or read x-forwarded-for`,
    })
  return { header, proxies }
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
  const [high = '', low = ''] = groups.slice(MAPPED.length)
  if (MAPPED.every((group, index) => groups[index] === group))
    return readV4([high, low].flatMap(bytesOf).join('.'))
  // Without a network, for example of this machine, or an IPv4 address in another form.
  const network = groups.slice(0, GROUPS.network)
  return (network.every((group) => group === '0') ? groups : network).join(':')
}

/** Two bytes of a group. */
function bytesOf(group: string): [number, number] {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value % 256]
}

const groupsOf = (part: string): readonly string[] => (part === '' ? [] : part.split(':'))
