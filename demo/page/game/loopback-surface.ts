/** Surface of an installed game: the consent page in a tab of its own, and the callback at a port that the page's server opens on 127.0.0.1. */
import { AuthorizationError, type AuthorizationSurface, type OpenOptions } from 'foyer-sdk'
import { askPageServer } from './ask-page-server'

interface Listener {
  id: string
  redirectUri: string
}

export function loopbackSurface(): AuthorizationSurface {
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
async function awaitCallback(id: string, { state, signal }: OpenOptions): Promise<string> {
  signal.addEventListener('abort', () => void askPageServer('loopback_end', { id }).catch(() => undefined))
  const { url } = await askPageServer<{ url?: string }>('loopback_answer', { id, state })
  if (url === undefined) throw new AuthorizationError('aborted')
  return url
}
