/** The window that an Activity is shown in, as a port: what may be said to it, and which of its words are heard. */
import { ConfigurationError } from '../foundation/errors'

/** The host window. Words are whole messages; nothing but the host's own is ever heard. */
export interface HostWindow {
  post(message: readonly [number, object]): void
  /** Hears until the signal aborts. */
  listen(hear: (message: unknown) => void, signal: AbortSignal): void
}

/**
 * The window around this page. Messages are heard from that window and the given origins only, and never posted to `*`: a page that
 * frames the game without being the service learns nothing.
 * @throws ConfigurationError `no_activity_host` where nothing is around this page.
 */
export function hostWindow(origins: readonly string[]): HostWindow {
  if (typeof window !== 'object' || window.parent === window) throw new ConfigurationError('no_activity_host', 'window.parent')
  // A host that shows the Activity in a window of its own answers from where it opened that.
  const hosts = [window.parent, window.parent.opener].filter(isWindow)
  return {
    post(message) {
      // The browser delivers it to the origin that the host has, and drops the others.
      for (const host of hosts) for (const origin of targets(origins)) host.postMessage(message, origin)
    },
    listen(hear, signal) {
      const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
        if (origins.includes(origin) && hosts.some((host) => host === source)) hear(data)
      }
      window.addEventListener('message', onMessage, { signal })
    },
  }
}

/** The host's origin where the browser tells it. Where it does not, every origin that would be accepted. */
function targets(origins: readonly string[]): readonly string[] {
  const told = document.referrer && new URL(document.referrer).origin
  return origins.includes(told) ? [told] : origins
}

/** A window of another origin lets itself be asked for `postMessage` and little else. */
function isWindow(value: unknown): value is Window {
  return typeof value === 'object' && value !== null && 'postMessage' in value
}
