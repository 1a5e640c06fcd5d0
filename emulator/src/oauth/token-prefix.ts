/** Marks access and refresh tokens, so that a token of an emulator can be told from a real one at a glance. */
import type { Provider } from 'oidc-provider'

export function prefixTokens(provider: Provider): void {
  mark(provider.AccessToken.prototype, 'emu_access_')
  mark(provider.RefreshToken.prototype, 'emu_refresh_')
  mark(provider.ClientCredentials.prototype, 'emu_application_')
}

/** The library's own method also settles the token's format: it has to run. */
function mark(model: object, prefix: string): void {
  const generate: unknown = Reflect.get(model, 'generateTokenId')
  if (typeof generate !== 'function') throw new TypeError('the authorization server library makes its tokens differently now')
  Object.defineProperty(model, 'generateTokenId', {
    value(this: object) {
      return prefix + String(generate.call(this))
    },
  })
}
