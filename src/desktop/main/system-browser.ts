/** Surface that shows the authorize page in the system browser; the callback arrives at the loopback interface or as a deep link. */
import type { Attempt } from '../../shared/authorization/attempt'
import type { AuthorizationSurface, OpenOptions } from '../../shared/authorization/authorization-flow'
import type { Clock } from '../../shared/foundation/clock'
import { AuthorizationError, ConfigurationError, FoyerError } from '../../shared/foundation/errors'
import type { Log } from '../../shared/foundation/log-entry'
import type { MainAttemptStore } from './main-attempt-store'
import type { DeepLinks } from './install-deep-links'
import { isCallbackLink } from './recognize-deep-link'
import { type Loopback, openLoopback } from './loopback-server'
import { isSecure } from '../../shared/foundation/addresses'
import { shell } from 'electron'

/** Time in ms that a server outlives its attempt, to inform late callbacks. */
const LINGER_TIME = 60_000

/**
 * Method of a sign-in. `loopback` and `scheme` receive the callback on the loopback interface or as a deep link; `paste` and `device` apply
 * if no browser opens: the player pastes the final address, or types a code on another device.
 */
export type CallbackMethod = 'loopback' | 'scheme' | 'paste' | 'device'

interface SystemBrowserOptions {
  roads: readonly CallbackMethod[]
  scheme: DeepLinks | undefined
  authorizeUrl: string
  attempts: MainAttemptStore
  clock: Clock
  log: Log
  /** No browser opened; the player may use one elsewhere. */
  onUnavailable: (url: string) => void
  /** A callback arrived; bring the game to the front. */
  onCallback: () => void
}

export interface SystemBrowser {
  surface: AuthorizationSurface
  /** Passes a deep link to the pending attempt it belongs to; returns false if there is none. */
  deliver(link: string): boolean
  close(): void
}

interface OpenLoopback {
  loopback: Loopback
  /** Cancels the closing timer. */
  keepOpen: () => void
}

interface PendingCallback {
  belongs: (url: string) => boolean
  take: (url: string) => void
}

/** Shared state of the functions below. */
interface BrowserContext extends SystemBrowserOptions {
  loopbacks: Map<string, OpenLoopback>
  waiting: Set<PendingCallback>
  /** Pending writes of attempts, by state. */
  records: Map<string, Promise<unknown>>
  isClosed: boolean
}

export function createSystemBrowser(options: SystemBrowserOptions): SystemBrowser {
  const context: BrowserContext = {
    ...options,
    loopbacks: new Map(),
    waiting: new Set(),
    records: new Map(),
    isClosed: false,
  }
  return {
    surface: {
      redirectUri: () => chooseCallbackMethod(context),
      keep: (attempt, signal) => storeAttempt(context, attempt, signal),
      open: (url, open) => openBrowser(context, url, open),
    },
    deliver(link) {
      const entry = [...context.waiting].find(({ belongs }) => belongs(link))
      entry?.take(link)
      return entry !== undefined
    },
    close() {
      context.isClosed = true
      for (const uri of context.loopbacks.keys()) closeLoopback(context, uri)
    },
  }
}

/**
 * Returns the redirect URI of the first available method. If none is, rejects with `browser_unavailable` where a device sign-in can follow.
 */
async function chooseCallbackMethod(context: BrowserContext): Promise<string> {
  for (const method of context.roads) {
    if (method === 'scheme' && context.scheme?.registered)
      return `${context.scheme.scheme}:/authorize/callback`
    if (method !== 'loopback') continue
    const loopback = await openLoopback().catch(() => context.log('warn', 'loopback.unavailable'))
    if (!loopback) continue
    // Closes the server if the sign-in ends before the browser opens.
    listenFor(context, loopback)
    // The client was closed meanwhile.
    if (context.isClosed) closeLoopback(context, loopback.redirectUri)
    return loopback.redirectUri
  }
  throw context.roads.includes('device')
    ? new AuthorizationError('browser_unavailable')
    : new ConfigurationError('unsupported', 'roads')
}

/** Stores attempts with a deep link only: a loopback server ends with the process. */
function storeAttempt(context: BrowserContext, attempt: Attempt, signal: AbortSignal): void {
  const { attempts, records, log } = context
  if (context.loopbacks.has(attempt.redirectUri)) return
  const { state } = attempt
  const logFailure = () => log('warn', 'attempt.not_kept')
  records.set(state, attempts.keep(attempt).catch(logFailure))
  signal.addEventListener('abort', () => {
    records.delete(state)
    attempts.drop(state).catch(logFailure)
  })
}

async function openBrowser(context: BrowserContext, url: string, options: OpenOptions): Promise<string> {
  const callback = awaitCallback(context, new URL(url).searchParams.get('redirect_uri') ?? '', options)
  // Waits for the stored attempt, because the callback may reach another process.
  await context.records.get(options.state)
  if (options.signal.aborted) return callback
  return new Promise((resolve, reject) => {
    callback.then(resolve, reject)
    // Not awaited, because some systems resolve only when the browser closes.
    show(context, url).catch(reject)
  })
}

/** Never rejects on Linux: Electron does not wait for `xdg-open`. */
async function show(context: BrowserContext, url: string): Promise<void> {
  try {
    await openExternal(url, context.authorizeUrl)
  } catch (error) {
    if (error instanceof FoyerError) throw error
    context.log('warn', 'browser.unavailable')
    const way = context.roads.find((method) => method === 'paste' || method === 'device')
    if (way !== 'paste') throw new AuthorizationError('browser_unavailable', { cause: error })
    context.onUnavailable(url)
  }
}

function awaitCallback(
  context: BrowserContext,
  redirectUri: string,
  { belongs, signal }: OpenOptions,
): Promise<string> {
  const { loopback, keepOpen } = context.loopbacks.get(redirectUri) ?? {}
  keepOpen?.()
  if (!loopback && !isCallbackLink(`${redirectUri}?`, context.scheme?.scheme ?? ''))
    throw new ConfigurationError('invalid_argument', 'customSchemeParam')
  return new Promise((resolve, reject) => {
    const take = (url: string) => {
      context.onCallback()
      resolve(url)
    }
    const entry: PendingCallback = { belongs, take }
    context.waiting.add(entry)
    loopback?.expect({ ...entry, giveUp: () => reject(new AuthorizationError('state_mismatch')) })
    signal.addEventListener('abort', () => {
      context.waiting.delete(entry)
      loopback?.end()
      if (loopback && context.loopbacks.has(redirectUri)) listenFor(context, loopback)
    })
  })
}

function listenFor(context: BrowserContext, loopback: Loopback): void {
  const keepOpen = context.clock.after(LINGER_TIME, () => closeLoopback(context, loopback.redirectUri))
  context.loopbacks.set(loopback.redirectUri, { loopback, keepOpen })
}

function closeLoopback({ loopbacks }: BrowserContext, redirectUri: string): void {
  const listening = loopbacks.get(redirectUri)
  listening?.keepOpen()
  listening?.loopback.close()
  loopbacks.delete(redirectUri)
}

/**
 * Opens `url`, which must have the origin of `expected`. The system could also start programs, so only `https:` is allowed, and `http:` on
 * loopback hosts.
 *
 * @throws ConfigurationError `insecure_endpoint`. Rejects like `shell.openExternal` if nothing can open it.
 */
export async function openExternal(url: string, expected: string): Promise<void> {
  if (!isWebPage(url) || new URL(url).origin !== new URL(expected).origin)
    throw new ConfigurationError('insecure_endpoint', 'browser')
  await shell.openExternal(url)
}

function isWebPage(url: string): boolean {
  if (!URL.canParse(url)) return false
  const page = new URL(url)
  return isSecure(page) && !(page.username + page.password)
}
