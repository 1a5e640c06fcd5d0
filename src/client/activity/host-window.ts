/** Port to the host window of an Activity, restricted to trusted origins. */
import { isLoopbackOrigin } from '../../shared/foundation/addresses'
import { ConfigurationError } from '../../shared/foundation/errors'

/** Space in CSS pixels at each edge of the frame that the host's own controls cover. */
export interface SafeArea {
  /** Upper edge. */
  readonly top: number
  /** Right edge. */
  readonly right: number
  /** Lower edge. */
  readonly bottom: number
  /** Left edge. */
  readonly left: number
}

/** The part of a host that a connection needs. */
export interface HostPort {
  post(message: readonly [number, object]): void
  /** Passes messages on until the signal aborts. */
  listen(receive: (message: unknown) => void, signal: AbortSignal): void
}

/** Host window. Only messages of a trusted host are passed on. */
export interface HostWindow extends HostPort {
  /** Reads the insets that the host sets as style variables, or else those of the device. */
  readSafeArea(): SafeArea
  /** Calls the listener when the size of the frame changes; returns a function that ends this. */
  onResize(listener: () => void): () => void
  /** Address of the page. */
  address(): string
}

export interface HostTrust {
  /** Allowed origins of the host. */
  origins: readonly string[]
  /** Allows every loopback origin: with a local service, the host page may use any port. */
  loopback: boolean
  /** Word in the names of the style variables: `--service-safe-area-inset-top`. */
  brand: string
  /** Called once per untrusted origin of an embedding window. */
  onIgnored: (origin: string) => void
}

/**
 * Returns the port to the window that embeds this page. Accepts messages only from that window and from trusted origins, and never posts to
 * `*`, so that a foreign embedding page receives nothing.
 *
 * @throws ConfigurationError `no_activity_host` if no window embeds this page.
 */
export function hostWindow({ origins, loopback, brand, onIgnored }: HostTrust): HostWindow {
  if (typeof window !== 'object' || window.parent === window)
    throw new ConfigurationError('no_activity_host', 'window.parent', {
      remedy: 'The page was not opened as an Activity: check client.activity.launch first',
    })
  // A host that shows the Activity in its own window responds from the opener of that window.
  const hosts = [window.parent, window.parent.opener].filter(isWindow)
  const trusts = (origin: string) => origins.includes(origin) || (loopback && isLoopbackOrigin(origin))
  const ignored = new Set<string>()
  const ignore = (origin: string) => {
    if (!ignored.has(origin)) onIgnored(origin)
    ignored.add(origin)
  }
  return {
    address: () => location.href,
    readSafeArea: () => readSafeArea(brand),
    onResize(listener) {
      window.addEventListener('resize', listener)
      return () => window.removeEventListener('resize', listener)
    },
    post(message) {
      // The browser delivers the message to the matching origin and drops the others.
      for (const host of hosts)
        for (const origin of targets(origins, trusts)) host.postMessage(message, origin)
    },
    listen(receive, signal) {
      const parent = parentOrigin()
      if (parent && !trusts(parent)) ignore(parent)
      const onMessage = ({ origin, source, data }: MessageEvent<unknown>) => {
        if (!hosts.some((host) => host === source)) return
        if (trusts(origin)) receive(data)
        else ignore(origin)
      }
      window.addEventListener('message', onMessage, { signal })
    },
  }
}

/** Returns the host's origin if the browser exposes it, otherwise all allowed origins, plus this page's own if it is trusted. */
function targets(origins: readonly string[], trusts: (origin: string) => boolean): readonly string[] {
  const parent = parentOrigin()
  if (parent && trusts(parent)) return [parent]
  return trusts(location.origin) ? [...new Set([...origins, location.origin])] : origins
}

/** Returns undefined if the browser does not expose it, or after a navigation within the frame. */
function parentOrigin(): string | undefined {
  // Missing in Firefox, although the DOM types declare it.
  const { ancestorOrigins }: { ancestorOrigins?: DOMStringList } = location
  if (ancestorOrigins) return ancestorOrigins[0]
  const referrer = document.referrer && new URL(document.referrer).origin
  return referrer === location.origin ? undefined : referrer || undefined
}

/** Style variables have no computed length: an invisible element resolves them. */
function readSafeArea(brand: string): SafeArea {
  const probe = document.createElement('div')
  const inset = (edge: string) => `var(--${brand}-safe-area-inset-${edge}, env(safe-area-inset-${edge}, 0px))`
  probe.style.cssText = `position:fixed;visibility:hidden;padding:${['top', 'right', 'bottom', 'left'].map(inset).join(' ')}`
  document.documentElement.append(probe)
  const { paddingTop, paddingRight, paddingBottom, paddingLeft } = getComputedStyle(probe)
  probe.remove()
  const [top = 0, right = 0, bottom = 0, left = 0] = [
    paddingTop,
    paddingRight,
    paddingBottom,
    paddingLeft,
  ].map((value) => parseFloat(value) || 0)
  return { top, right, bottom, left }
}

/** Cross-origin windows allow access to `postMessage` and little else. */
function isWindow(value: unknown): value is Window {
  return typeof value === 'object' && value !== null && 'postMessage' in value
}
