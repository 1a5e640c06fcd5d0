/** Makes the app the one that opens `<scheme>:` links, and catches those of a sign-in from its very first moment. */
import { resolve } from 'node:path'
import { app } from 'electron'
import { type Clock, systemClock } from '../../foundation/clock'
import { isRecord } from '../../foundation/encoding'
import { findLink, isCallbackLink, requireScheme } from './deep-link'
import { createLinkQueue } from './link-queue'

/** What a second process of the app says to the first beside its arguments, which Chromium may reorder. */
const FIELD = 'foyerLink'

/** The deep links of an app: the `scheme` of `createMainClient`. */
export interface DeepLinks {
  readonly scheme: string
  /** Whether the system opens such links with this app. An AppImage, a Flatpak or a store package may not be able to say so at run time. */
  readonly registered: boolean
  /** Gives the listener every link of a sign-in, also those that came before it. One listener at a time. The result undoes it. */
  listen(listener: (link: string) => void): () => void
}

/**
 * Call it at the very top of the main process, before anything is awaited: a link that starts the app comes at once, and on macOS before
 * `ready`. It takes the single-instance lock: a second process hands its link to the first and ends here. For two players on one
 * machine, give each an `app.setPath('userData', …)` of its own before.
 *
 * Other links of the scheme reach the app's own `open-url` and `second-instance` listeners as ever.
 * @throws ConfigurationError `invalid_argument` for what is no scheme, or none that an app can have for itself.
 */
export function installDeepLinks(scheme: string, options?: { clock?: Clock }): DeepLinks {
  const { clock = systemClock } = { ...options }
  requireScheme(scheme)
  const queue = createLinkQueue(clock)
  const take = (link: unknown) => {
    if (isCallbackLink(link, scheme)) queue.add(link)
  }
  app.on('open-url', (event, link) => {
    if (isCallbackLink(link, scheme)) event.preventDefault()
    take(link)
  })
  app.on('second-instance', (...[, argv, , data]) => take(findLink([isRecord(data) && data[FIELD], ...argv], scheme)))
  const own = findLink(process.argv, scheme)
  // Not `quit`: nothing of the app may run in a process that has only brought a link.
  if (!app.requestSingleInstanceLock(own === undefined ? {} : { [FIELD]: own })) app.exit(0)
  take(own)
  return { scheme, registered: register(scheme), listen: (listener) => queue.listen(listener) }
}

/** `--` ends the options: what stands in a link is never read as one (Windows). In development the binary is Electron's own, and the app its argument. */
function register(scheme: string): boolean {
  const [, script = '.'] = process.argv
  const args = process.defaultApp ? [resolve(script), '--'] : ['--']
  // The tools of some desktops report failure though they did it.
  return app.setAsDefaultProtocolClient(scheme, process.execPath, args) || app.isDefaultProtocolClient(scheme, process.execPath, args)
}
