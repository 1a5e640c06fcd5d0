/** Prefixes access and refresh tokens, to distinguish an emulator's tokens from real ones. */
import type { Provider } from 'oidc-provider'

export function prefixTokens(provider: Provider): void {
  mark(provider.AccessToken.prototype, 'emu_access_')
  mark(provider.RefreshToken.prototype, 'emu_refresh_')
  mark(provider.ClientCredentials.prototype, 'emu_application_')
}

/** The library's own method also sets the token's format, so it has to run. */
function mark(model: object, prefix: string): void {
  const generate: unknown = Reflect.get(model, 'generateTokenId')
  if (typeof generate !== 'function') throw new TypeError('the authorization server library makes its tokens differently now')
  Object.defineProperty(model, 'generateTokenId', {
    value(this: object) {
      return prefix + String(generate.call(this))
    },
  })
}
