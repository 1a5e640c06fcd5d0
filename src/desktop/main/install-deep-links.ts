/** Registers the app for `<scheme>:` links and receives the links of sign-ins and invitations from process start. */
import { resolve } from 'node:path'
import { app } from 'electron'
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { isRecord, ownFields } from '../../shared/foundation/untrusted-values'
import {
  findLink,
  findNotice,
  isLaunchLink,
  isOwnLink,
  type LinkNotice,
  requireScheme,
} from './recognize-deep-link'

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
  /** Scheme of the option `launch`. */
  readonly launch?: { readonly scheme: string; readonly registered: boolean } | undefined
  /** @internal Calls `listener` when a launch link has arrived, or a link that only resembles one of this app. Returns an unsubscribe function. */
  listenToNotices?(listener: (notice: LinkNotice) => void): () => void
}

/** Options of `installDeepLinks`. */
export interface DeepLinkOptions {
  /**
   * Scheme by which the service's program starts the game when the player accepts an invitation: `service-<application id>`. It may be the
   * scheme of sign-ins too. Such a link has no content. The secret of the invitation comes from the program, see `localProgram` of
   * `createMainClient`.
   */
  launch?: string | undefined
  /** Source of time. Default: the system's. */
  clock?: Clock | undefined
}

/**
 * Registers a custom scheme. Call it at the top of the main process, before any `await`: a link that starts the app arrives at once, on
 * macOS before `ready`. It acquires the single-instance lock: a second process passes its link to the first and exits. For two players on
 * one machine, set a separate `app.setPath('userData', …)` for each before.
 *
 * With `launch`, a second scheme is registered, by which the service's program starts the game.
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
export function installDeepLinks(scheme: string, options?: DeepLinkOptions): DeepLinks {
  const { clock = systemClock, launch } = ownFields({ ...options })
  requireScheme(scheme)
  if (launch !== undefined) requireScheme(launch, 'launch')
  const queue = createLinkQueue(clock)
  const notices = createLinkQueue<LinkNotice>(clock)
  const take = (argv: readonly unknown[]) => {
    const link = findLink(argv, scheme)
    if (link !== undefined) return queue.add(link)
    const notice = findNotice(argv, { scheme, launch })
    if (notice) notices.add(notice)
  }
  app.on('open-url', (event, link) => {
    if (isOwnLink(link, scheme) || isLaunchLink(link, launch)) event.preventDefault()
    take([link])
  })
  app.on('second-instance', (...[, argv, , data]) => take([isRecord(data) && data[FIELD], ...argv]))
  const own =
    findLink(process.argv, scheme) ?? process.argv.find((argument) => isLaunchLink(argument, launch))
  // Not `quit`: no app code may run in a process that only delivers a link.
  if (!app.requestSingleInstanceLock(own === undefined ? {} : { [FIELD]: own })) app.exit(0)
  take(process.argv)
  const registered = register(scheme)
  const isShared = launch === scheme
  return {
    scheme,
    registered,
    listen: (listener) => queue.listen(listener),
    listenToNotices: (listener) => notices.listen(listener),
    ...(launch !== undefined && {
      launch: { scheme: launch, registered: isShared ? registered : register(launch) },
    }),
  }
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

/** Maximum number of waiting links; any program on the machine can send one. */
const MAX_WAITING = 8
/** Interval in ms between two links. */
const INTERVAL = 100

/** `Link`: a link, or a word about one. */
interface LinkQueue<Link extends string = string> {
  add(link: Link): void
  /** Delivers waiting and future links to the listener. Returns an unsubscribe function. */
  listen(listener: (link: Link) => void): () => void
}

function createLinkQueue<Link extends string = string>(clock: Clock): LinkQueue<Link> {
  const waiting: Link[] = []
  let listener: ((link: Link) => void) | undefined
  let cancelTimer: (() => void) | undefined

  const deliver = () => {
    cancelTimer = undefined
    const link = listener && waiting.shift()
    if (link === undefined) return
    cancelTimer = clock.after(INTERVAL, deliver)
    listener?.(link)
  }
  return {
    add(link) {
      // A system may deliver a link twice, as an event and as an argument.
      if (waiting.length >= MAX_WAITING || waiting.includes(link)) return
      waiting.push(link)
      if (!cancelTimer) deliver()
    },
    listen(next) {
      listener = next
      if (!cancelTimer) deliver()
      return () => {
        if (listener === next) listener = undefined
        cancelTimer?.()
        cancelTimer = undefined
      }
    },
  }
}
