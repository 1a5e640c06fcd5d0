/** Surface of each mode of the page: how the player gets to the consent page, and the callback back. */
import { type AuthorizationSurface, type ClientOptions, popupSurface, redirectSurface } from 'foyer-sdk'
import type { EnteredCallback } from './entered-callback'
import { loopbackSurface } from './loopback-surface'
import type { ArgumentsForm } from './arguments-form'

/** Page that shows its own address, for a tester who copies it. */
const COPY_PAGE = 'copy-callback.html'

export function toSurface(
  { mode }: Pick<ArgumentsForm, 'mode'>,
  { redirectUri }: ClientOptions,
  entered: EnteredCallback,
): AuthorizationSurface {
  const options = redirectUri === undefined ? {} : { redirectUri }
  if (mode === 'redirect') return redirectSurface(options)
  if (mode === 'loopback') return loopbackSurface()
  const open: AuthorizationSurface['open'] = (url, attempt) => entered.wait(url, attempt)
  // Without a redirect URI the SDK sends the one of the custom scheme.
  if (mode === 'scheme') return { open }
  if (mode === 'paste') return { redirectUri: () => copyPage(redirectUri), open }
  return popupSurface(options)
}

/** Part of a surface with the redirect URI that the mode sends; for a loopback port, which is chosen at the click, an example. */
export function previewRedirectUri(
  { mode }: Pick<ArgumentsForm, 'mode'>,
  { redirectUri }: ClientOptions,
): Pick<AuthorizationSurface, 'redirectUri'> {
  const options = redirectUri === undefined ? {} : { redirectUri }
  if (mode === 'scheme') return {}
  if (mode === 'loopback') return { redirectUri: () => 'http://127.0.0.1/callback' }
  if (mode === 'paste') return { redirectUri: () => copyPage(redirectUri) }
  const surface = mode === 'redirect' ? redirectSurface(options) : popupSurface(options)
  return { redirectUri: () => surface.redirectUri?.() ?? '' }
}

/** An absolute address is sent as it was registered. */
function copyPage(redirectUri: string | undefined): string {
  if (redirectUri !== undefined && URL.canParse(redirectUri)) return redirectUri
  return new URL(redirectUri ?? COPY_PAGE, location.href).href
}
