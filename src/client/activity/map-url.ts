/** Addresses inside an Activity: all requests go through the service's proxy, which maps prefixes to hosts (docs/interface/activities.md#proxy). Pure. */
import { withoutEndSlashes } from '../../shared/foundation/addresses'

/** Entry of the application's URL mappings. */
export interface UrlMapping {
  /** Path prefix in the Activity, for example `/api`. */
  readonly prefix: string
  /** Host, with an optional path, that the prefix stands for; without a protocol, for example `api.mygame.example`. */
  readonly target: string
}

/**
 * Returns the address in the Activity for an absolute address of a mapped host: `https://api.mygame.example/scores` becomes
 * `/.proxy/api/scores`. The longest matching target wins. Returns null if no mapping matches: the service would block the address.
 *
 * @param base Address of the page, for relative addresses and those of the page itself, which are returned unchanged.
 */
export function mapUrl(url: string, mappings: readonly UrlMapping[], base: string): string | null {
  const page = new URL(base)
  const { protocol, host, pathname, search, hash, origin } = new URL(url, page)
  if (protocol === 'data:' || protocol === 'blob:' || origin === page.origin) return url
  const path = `${host}${pathname}`
  const [best] = mappings
    .filter(({ target }) => covers(target, path))
    .sort((a, b) => b.target.length - a.target.length)
  if (!best) return null
  const rest = path.slice(withoutEndSlashes(best.target).length)
  const mapped = `/.proxy${withoutEndSlashes(best.prefix)}${rest || '/'}${search}${hash}`
  return /^wss?:$/.test(protocol) ? `${page.protocol.replace('http', 'ws')}//${page.host}${mapped}` : mapped
}

function covers(target: string, path: string): boolean {
  const whole = withoutEndSlashes(target)
  return path === whole || path.startsWith(`${whole}/`)
}
