/** Tells where the code runs: in a page, in a build for production, and in a runtime that divides its requests. */

/** Globals that identify a page or a worker of a page. */
interface Platform {
  document?: unknown
  navigator?: { userAgent?: unknown }
  process?: { type?: unknown; versions?: { node?: unknown } }
}

/**
 * True in a page, in a worker of a page and in an Electron window. Only browsers have a Mozilla user agent. Tests simulate a page in Node.
 * An Electron window may have Node and is a page.
 */
export function isPage({ document, navigator, process }: Platform = globalThis): boolean {
  const isNode =
    process?.versions?.node !== undefined && process.type !== 'renderer' && process.type !== 'worker'
  return !isNode && (document !== undefined || String(navigator?.userAgent).startsWith('Mozilla/'))
}

declare const process: { readonly env: { readonly NODE_ENV?: string } }

/** True if `NODE_ENV` is `production`: bundlers write it into a build, backends run with it. A page without a bundler has none. */
export function isProductionBuild(): boolean {
  try {
    return process.env.NODE_ENV === 'production'
  } catch {
    return false
  }
}

/**
 * True where timers and promises belong to the request that made them, and end with it (Cloudflare Workers): a request that waits for another
 * one's promise alone is ended by the runtime, or waits for ever.
 */
export function isRequestBound({ navigator }: { navigator?: { userAgent?: unknown } } = globalThis): boolean {
  return navigator?.userAgent === 'Cloudflare-Workers'
}
