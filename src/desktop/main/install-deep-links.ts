/** Registers the app for `<scheme>:` links and receives the links of sign-ins and invitations from process start. */
import { resolve } from 'node:path'
import { app } from 'electron'
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { isRecord, ownFields } from '../../shared/foundation/untrusted-values'
import { findLink, isOwnLink, requireScheme } from './recognize-deep-link'
import { createLinkQueue } from './link-queue'

/** Key of the link in the data that a second process passes to the first; Chromium may reorder arguments. */
const FIELD = 'foyerLink'

/** Deep links of an app: the `scheme` option of `createMainClient`. */
export interface DeepLinks {
  /** Registered scheme. */
  readonly scheme: string
  /** True if the system opens such links with this app. AppImage, Flatpak and store packages may be unable to register at run time. */
  readonly registered: boolean
  /** Calls `listener` with every link of a sign-in or an invitation, including earlier ones. One listener at a time. Returns an unsubscribe function. */
  listen(listener: (link: string) => void): () => void
}

/**
 * Registers a custom scheme. Call it at the top of the main process, before any `await`: a link that starts the app arrives at once, on
 * macOS before `ready`. It acquires the single-instance lock: a second process passes its link to the first and exits. For two players on
 * one machine, set a separate `app.setPath('userData', …)` for each before.
 *
 * Other links of the scheme still reach the app's own `open-url` and `second-instance` listeners.
 *
 * @throws ConfigurationError `invalid_argument` for invalid or reserved schemes.
 * @example
 * ```ts
 * const scheme = installDeepLinks('mygame')
 * if (!scheme.registered) console.warn('Sign-in uses the loopback interface.')
 * ```
 */
export function installDeepLinks(scheme: string, options?: { clock?: Clock | undefined }): DeepLinks {
  const { clock = systemClock } = ownFields({ ...options })
  requireScheme(scheme)
  const queue = createLinkQueue(clock)
  const take = (link: unknown) => {
    if (isOwnLink(link, scheme)) queue.add(link)
  }
  app.on('open-url', (event, link) => {
    if (isOwnLink(link, scheme)) event.preventDefault()
    take(link)
  })
  app.on('second-instance', (...[, argv, , data]) =>
    take(findLink([isRecord(data) && data[FIELD], ...argv], scheme)),
  )
  const own = findLink(process.argv, scheme)
  // Not `quit`: no app code may run in a process that only delivers a link.
  if (!app.requestSingleInstanceLock(own === undefined ? {} : { [FIELD]: own })) app.exit(0)
  take(own)
  return { scheme, registered: register(scheme), listen: (listener) => queue.listen(listener) }
}

/**
 * Program and arguments that the system runs with a link. `--` ends the options, so that a link is never parsed as one (Windows). In
 * development the executable is Electron, and the app is its argument.
 */
export function linkCommand(): [path: string, args: string[]] {
  const [, script = '.'] = process.argv
  return [process.execPath, process.defaultApp ? [resolve(script), '--'] : ['--']]
}

function register(scheme: string): boolean {
  const command = linkCommand()
  // Some desktop tools report failure after success.
  return app.setAsDefaultProtocolClient(scheme, ...command) || app.isDefaultProtocolClient(scheme, ...command)
}
