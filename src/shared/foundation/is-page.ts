/** Tells whether the code runs in a page, where the browser applies its rules and players can read everything. */

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
  const isNode = process?.versions?.node !== undefined && process.type !== 'renderer' && process.type !== 'worker'
  return !isNode && (document !== undefined || String(navigator?.userAgent).startsWith('Mozilla/'))
}
