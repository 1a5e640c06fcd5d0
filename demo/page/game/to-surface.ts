/** Surface of each mode of the page: how the player gets to the consent page, and the callback back. */
import { signal } from '@preact/signals'
import {
  AuthorizationError,
  popupSurface,
  redirectSurface,
  type AuthorizationSurface,
  type ClientOptions,
  type OpenOptions,
} from 'foyer-sdk'
import type { ArgumentsForm } from './arguments-form'
import { askPageServer } from './ask-page-server'

/** Page that shows its own address, for a tester who copies it. */
const COPY_PAGE = 'copy-callback.html'

type Chosen = Pick<ArgumentsForm, 'mode' | 'redirectUri'>

export function toSurface(
  chosen: Chosen,
  { redirectUri }: ClientOptions,
  entered: EnteredCallback,
): AuthorizationSurface {
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
function withRedirectUri(
  { mode, redirectUri: given }: Chosen,
  entered: EnteredCallback,
): AuthorizationSurface {
  const uri = toAbsolute(given)
  if (mode === 'redirect') return redirectSurface({ redirectUri: uri })
  const enter: AuthorizationSurface['open'] = (url, attempt) => entered.wait(url, attempt)
  const redirectUri = () => uri
  if (mode !== 'popup') return { redirectUri, open: enter }
  const popup = popupSurface({ redirectUri: uri })
  return {
    redirectUri,
    open: (url, attempt) => Promise.race([popup.open(url, attempt), enter(url, attempt)]),
  }
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

interface Listener {
  id: string
  redirectUri: string
}

/** Surface of an installed game: the consent page in a tab of its own, and the callback at a port that the page's server opens on 127.0.0.1. */
function loopbackSurface(): AuthorizationSurface {
  let tab: Window | null = null
  let listener: Promise<Listener> | undefined
  return {
    redirectUri: async () => {
      // Opened inside the click; its address follows once there is a port.
      tab = window.open('about:blank', '_blank')
      if (!tab) throw new AuthorizationError('popup_blocked')
      listener = askPageServer<Listener>('loopback_open')
      listener.catch(() => tab?.close())
      return (await listener).redirectUri
    },
    open: async (url, options) => {
      if (!tab || !listener) throw new AuthorizationError('popup_blocked')
      const { id } = await listener
      // The system's browser has no connection to the game.
      tab.opener = null
      tab.location.replace(url)
      return awaitCallback(id, options)
    },
  }
}

/** Resolves with the callback. An attempt that ends before frees the port; the tab stays, as in the system's browser. */
async function awaitCallback(id: string, { state, signal: ended }: OpenOptions): Promise<string> {
  ended.addEventListener('abort', () => void askPageServer('loopback_end', { id }).catch(() => undefined))
  const { url } = await askPageServer<{ url?: string }>('loopback_answer', { id, state })
  if (url === undefined) throw new AuthorizationError('aborted')
  return url
}

/** Attempt that waits for it. */
interface AwaitedCallback {
  /** Authorize URL, to open elsewhere. */
  readonly url: string
  readonly options: OpenOptions
}

/** Callback that a tester enters by hand: its address comes from another browser, another device, or a custom scheme. */
export class EnteredCallback {
  /** Undefined while no attempt waits. */
  readonly awaited = signal<AwaitedCallback | undefined>(undefined)
  #take: ((callback: string) => void) | undefined

  /** Resolves with the callback of this attempt. It is not checked here: the SDK does that. */
  wait(url: string, options: OpenOptions): Promise<string> {
    return new Promise((resolve) => {
      this.#take = resolve
      this.awaited.value = { url, options }
      options.signal.addEventListener('abort', () => {
        if (this.awaited.value?.options === options) this.awaited.value = undefined
      })
    })
  }

  /** Returns false, and goes on waiting, if the address belongs to another attempt or is none. */
  enter(callback: string): boolean {
    if (!this.awaited.value?.options.belongs(callback)) return false
    this.#take?.(callback)
    return true
  }
}
