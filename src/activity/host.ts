/** The window that an Activity is shown in, as a port: where messages are posted to, and whose messages are taken. */
import { ConfigurationError } from '../foundation/errors'

/** The host window. It carries whole messages; only those of a trusted host are passed on. */
export interface HostWindow {
  post(message: readonly [number, object]): void
  /** Passes messages on until the signal aborts. */
  listen(hear: (message: unknown) => void, signal: AbortSignal): void
}

export interface HostTrust {
  /** Origins that a host may have. */
  origins: readonly string[]
  /** Whether any origin of this machine is taken as well: for a service that runs on it, whose host page may be on any port. */
  loopback: boolean
  /** Gets the origin of a window around this page that is not trusted: once for each. */
  onIgnored: (origin: string) => void
}

/** RFC 8252 section 7.3, as an address or an origin. */
const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|$)/

/** Whether an address or an origin is one of this machine. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.test(address)
}

/**
 * The window around this page. Messages are taken from that window and from trusted origins only, and never posted to `*`: a page that
 * frames the game without being the service learns nothing.
 * @throws ConfigurationError `no_activity_host` where nothing is around this page.
 */
export function hostWindow({ origins, loopback, onIgnored }: HostTrust): HostWindow {
  if (typeof window !== 'object' || window.parent === window)
    throw new ConfigurationError('no_activity_host', 'window.parent', {
      remedy: 'The page was not opened as an Activity: look at getActivityLaunch() first',
    })
  // A host that shows the Activity in a window of its own answers from where it opened that.
  const hosts = [window.parent, window.parent.opener].filter(isWindow)
  const trusts = (origin: string) => origins.includes(origin) || (loopback && isLoopback(origin))
  const ignored = new Set<string>()
  const ignore = (origin: string) => {
    if (!ignored.has(origin)) onIgnored(origin)
    ignored.add(origin)
  }
  return {
    post(message) {
      // The browser delivers it to the origin that the host has, and drops the others.
      for (const host of hosts) for (const origin of targets(origins, trusts)) host.postMessage(message, origin)
    },
    listen(hear, signal) {
      const around = parentOrigin()
      if (around && !trusts(around)) ignore(around)
      const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
        if (!hosts.some((host) => host === source)) return
        if (trusts(origin)) hear(data)
        else ignore(origin)
      }
      window.addEventListener('message', onMessage, { signal })
    },
  }
}

/** The host's origin where the browser gives it. Elsewhere every origin by name, and this page's own if a host on it would be trusted. */
function targets(origins: readonly string[], trusts: (origin: string) => boolean): readonly string[] {
  const around = parentOrigin()
  if (around && trusts(around)) return [around]
  return trusts(location.origin) ? [...new Set([...origins, location.origin])] : origins
}

/** Undefined where the browser does not say, and after the game has gone to another page within its frame. */
function parentOrigin(): string | undefined {
  // Firefox has no such list, which the DOM types promise.
  const { ancestorOrigins }: { ancestorOrigins?: DOMStringList } = location
  if (ancestorOrigins) return ancestorOrigins[0]
  const referrer = document.referrer && new URL(document.referrer).origin
  return referrer === location.origin ? undefined : referrer || undefined
}

/** A window of another origin lets itself be asked for `postMessage` and little else. */
function isWindow(value: unknown): value is Window {
  return typeof value === 'object' && value !== null && 'postMessage' in value
}
