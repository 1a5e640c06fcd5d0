/** Surface of each mode of the page: how the player gets to the consent page, and the callback back. */
import { type AuthorizationSurface, type ClientOptions, popupSurface, redirectSurface } from 'foyer-sdk'
import type { EnteredCallback } from './entered-callback'
import { loopbackSurface } from './loopback-surface'
import type { ArgumentsForm } from './arguments-form'

/** Page that shows its own address, for a tester who copies it. */
const COPY_PAGE = 'copy-callback.html'

type Chosen = Pick<ArgumentsForm, 'mode' | 'redirectUri'>

export function toSurface(chosen: Chosen, { redirectUri }: ClientOptions, entered: EnteredCallback): AuthorizationSurface {
  const { mode } = chosen
  if (chosen.redirectUri !== '') return withRedirectUri(chosen, entered)
  const options = redirectUri === undefined ? {} : { redirectUri }
  if (mode === 'redirect') return redirectSurface(options)
  if (mode === 'loopback') return loopbackSurface()
  const open: AuthorizationSurface['open'] = (url, attempt) => entered.wait(url, attempt)
  // Without a redirect URI the SDK sends the one of the custom scheme.
  if (mode === 'scheme') return { open }
  if (mode === 'paste') return { redirectUri: () => copyPage(redirectUri), open }
  return popupSurface(options)
}

/** Surface with a redirect URI of the tester's. What arrives there may be no callback page of this one, so its address can be entered too. */
function withRedirectUri({ mode, redirectUri: given }: Chosen, entered: EnteredCallback): AuthorizationSurface {
  const uri = toAbsolute(given)
  if (mode === 'redirect') return redirectSurface({ redirectUri: uri })
  const enter: AuthorizationSurface['open'] = (url, attempt) => entered.wait(url, attempt)
  const redirectUri = () => uri
  if (mode !== 'popup') return { redirectUri, open: enter }
  const popup = popupSurface({ redirectUri: uri })
  return { redirectUri, open: (url, attempt) => Promise.race([popup.open(url, attempt), enter(url, attempt)]) }
}

/** Part of a surface with the redirect URI that the mode sends; for a loopback port, which is chosen at the click, an example. */
export function previewRedirectUri(
  { mode, redirectUri: given }: Chosen,
  { redirectUri }: ClientOptions,
): Pick<AuthorizationSurface, 'redirectUri'> {
  if (given !== '') return { redirectUri: () => toAbsolute(given) }
  const options = redirectUri === undefined ? {} : { redirectUri }
  if (mode === 'scheme') return {}
  if (mode === 'loopback') return { redirectUri: () => 'http://127.0.0.1/callback' }
  if (mode === 'paste') return { redirectUri: () => copyPage(redirectUri) }
  const surface = mode === 'redirect' ? redirectSurface(options) : popupSurface(options)
  return { redirectUri: () => surface.redirectUri?.() ?? '' }
}

/** An absolute address is sent as it was registered. */
function copyPage(redirectUri: string | undefined): string {
  return toAbsolute(redirectUri ?? COPY_PAGE)
}

function toAbsolute(uri: string): string {
  return URL.canParse(uri) ? uri : new URL(uri, location.href).href
}
