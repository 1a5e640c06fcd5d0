/** Remedy for a response of another issuer than the configured one: names both. */
import { shown } from './log-entry'

const LOCAL = /^(https?:\/\/)(localhost|127\.0\.0\.1|\[::1])(?=[:/]|$)/

/** Addresses of this machine that differ in its name only: to a browser and to OpenID Connect they are two origins. */
export function isSameMachine(one: string, other: string): boolean {
  return one !== other && LOCAL.test(one) && LOCAL.test(other) && one.replace(LOCAL, '$1') === other.replace(LOCAL, '$1')
}

/** `got` is untrusted: it is shortened and made printable. */
export function issuerRemedy(got: unknown, expected: string): string {
  if (got === undefined) return `The response names no issuer, and service.issuer is ${expected}`
  const both = `The response is from ${shown(got)}, and service.issuer is ${expected}`
  if (typeof got === 'string' && isSameMachine(got, expected))
    return `${both}: localhost and 127.0.0.1 are two origins, so use one name everywhere`
  return `${both}: they must be equal, and service.issuer sets it`
}
