/** Dates ID tokens by the emulator's clock. */
import type { Provider } from 'oidc-provider'
import type { Clock } from '../foundation/clock.js'

/** The library sets `iat` unless the payload has one; `exp` comes from the configured lifetime. */
export function dateIdTokens(provider: Provider, clock: Clock): void {
  const model: object = provider.IdToken.prototype
  const payload: unknown = Reflect.get(model, 'payload')
  if (typeof payload !== 'function') throw new TypeError('the authorization server library makes its ID tokens differently now')
  Object.defineProperty(model, 'payload', {
    async value(this: object) {
      const claims: unknown = await payload.call(this)
      return Object.assign({ iat: clock.seconds() }, claims)
    },
  })
}
