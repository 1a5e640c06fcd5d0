/**
 * Fails a test that looks up a name, or connects to an address, beyond this machine. The suite runs without a network, and a resolver that
 * answers late would make a test fail at random. The error names the host, also if the code under test swallows it.
 */
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { afterAll, afterEach } from 'vitest'

/** Files of a worker share its process, so that functions are replaced once, and what is refused is in one list. */
const KEY = Symbol.for('foyer.refused-lookups')
const shared = globalThis as { [KEY]?: Error[] }
const refused = (shared[KEY] ??= install([]))

/** Throws the first look-up that was refused since the last call. */
export function failOnLookup(): void {
  const [first] = refused.splice(0)
  if (first) throw first
}

// A page may go on after its test, so the last look-ups of a file fail the file.
afterEach(failOnLookup)
afterAll(failOnLookup)

/** True for this machine: no name, `localhost` and names below it, and literal addresses of loopback or of every interface. */
export function isLocal(host: unknown): boolean {
  return (
    typeof host !== 'string' ||
    /^(?:|(?:.+\.)?localhost|127(?:\.\d+){3}|0\.0\.0\.0|::1?|::ffff:127(?:\.\d+){3})$/i.test(host)
  )
}

/** A name that has no address by definition (RFC 6761), so that nobody needs to be asked. */
const hasNoAddress = (host: string) => host.endsWith('.invalid')

function install(found: Error[]): Error[] {
  const refuse = (host: string) => {
    const error = Object.assign(new Error(`a test reaches beyond this machine: ${host}`), {
      code: 'ENOTFOUND',
      hostname: host,
    })
    if (!hasNoAddress(host)) found.push(error)
    return error
  }
  const { lookup, promises } = dns
  const { lookup: lookupLater } = promises
  const answer = (host: string, ...rest: unknown[]) => {
    // What connects to a literal address is refused below.
    if (isLocal(host) || net.isIP(host)) return Reflect.apply(lookup, dns, [host, ...rest])
    const error = refuse(host)
    process.nextTick(rest.at(-1) as (error: Error) => void, error)
    return {}
  }
  dns.lookup = answer as typeof dns.lookup
  promises.lookup = (async (host: string, ...rest: unknown[]) => {
    if (isLocal(host) || net.isIP(host)) return Reflect.apply(lookupLater, promises, [host, ...rest])
    throw refuse(host)
  }) as typeof promises.lookup
  const connect: unknown = Reflect.get(net.Socket.prototype, 'connect')
  net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
    const host = hostOf(args)
    if (host !== undefined && net.isIP(host) && !isLocal(host)) return this.destroy(refuse(host))
    return Reflect.apply(connect as () => net.Socket, this, args)
  }
  syncBuiltinESMExports()
  return found
}

/** The host of `connect({ host })` and `connect(port, host)`. Node itself passes the arguments as one list. */
function hostOf([first, second]: readonly unknown[]): string | undefined {
  if (Array.isArray(first)) return hostOf(first)
  const host = typeof first === 'object' ? (first as net.TcpSocketConnectOpts).host : second
  return typeof host === 'string' ? host : undefined
}
