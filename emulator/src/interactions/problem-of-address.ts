/** Names what is wrong with a backend's endpoint: its address, its certificate, or how it answers a request with a wrong signature. */
import { textOf } from '../foundation/type-guards.js'

const SELF_SIGNED = new Set(['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'])
const OTHER_CERTIFICATE: Record<string, string> = {
  CERT_HAS_EXPIRED: 'has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another host',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes without its intermediate certificates',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'is of an unknown authority',
}
/** The peer speaks HTTP where TLS is expected. */
const NO_TLS = new Set(['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'])

/** Returns the problem of an address, or undefined. Never quotes user info. */
export function problemOfAddress(url: string): string | undefined {
  const parsed = URL.parse(url)
  if (parsed === null) return 'the address is no URL'
  return parsed.username === '' && parsed.password === ''
    ? undefined
    : 'the address holds a user name or a password, which the service does not send: remove the part before the @'
}

/** Returns the reason why no response came. */
export function describeConnectionFailure(cause: unknown, url: string): string {
  const code = cause instanceof Error && 'code' in cause ? (textOf(cause.code) ?? '') : ''
  const place = URL.parse(url)?.origin ?? 'this address'
  if (SELF_SIGNED.has(code))
    return `the certificate of ${place} is self-signed (${code}), and the service accepts only those of public authorities: use http: for a local backend`
  const certificate = OTHER_CERTIFICATE[code]
  if (certificate !== undefined) return `the certificate of ${place} ${certificate} (${code})`
  if (NO_TLS.has(code)) return `${place} does not speak TLS (${code}): is it http: instead of https:?`
  return `nothing answers at ${place}${code === '' ? '' : ` (${code})`}`
}

/** Returns the reason why a response to a request with a wrong signature is not the expected 401. */
export function problemOfForged({ status, headers }: { status: number; headers: Record<string, string> }): string | undefined {
  if (status === 401) return undefined
  const answered = `a request with a wrong signature was answered with ${status} instead of 401`
  if (status >= 300 && status < 400)
    return `${answered}: it redirects to ${targetOf(headers)}, and the service follows no redirects: enter the final address`
  if (status === 404 || status === 410) return `${answered}: nothing is at this path: is the endpoint at another path?`
  if (status === 405) return `${answered}: the path takes no POST: is the endpoint at another path?`
  if (status >= 200 && status < 300) return `${answered}: the endpoint does not verify signatures`
  return `${answered}: something in front of the endpoint, or the endpoint itself, fails before it verifies`
}

/** Without query and user info, which may hold secrets. */
function targetOf({ location }: Record<string, string>): string {
  if (location === undefined || location === '') return 'an address that it does not name'
  const target = URL.parse(location)
  return target === null ? (location.split(/[?#]/)[0] ?? '') : target.origin + target.pathname
}
