/** Shows the authorize page in the system browser; the answer comes back to this machine's loopback address, or as a deep link. */
import type { Attempt } from '../../authorization/request'
import type { AuthorizationSurface, OpenOptions } from '../../authorization/surface'
import type { Clock } from '../../foundation/clock'
import { AuthorizationError, ConfigurationError, FoyerError } from '../../foundation/errors'
import type { Log } from '../../foundation/log'
import type { MainAttemptStore } from './attempt-store'
import type { DeepLinks } from './deep-links'
import { isCallbackLink } from './deep-link'
import { type Loopback, openLoopback } from './loopback'
import { openExternal } from './open-external'

/** How long a server outlives its attempt, in ms: a late answer is told that its sign-in is over. */
const EPILOGUE = 60_000

/**
 * The roads of a sign-in, tried in the order given. `loopback` and `scheme` say where the answer arrives; `paste` and `device` what
 * happens where no browser opens.
 */
export type CallbackMethod = 'loopback' | 'scheme' | 'paste' | 'device'

export interface SystemBrowserOptions {
  roads: readonly CallbackMethod[]
  scheme: DeepLinks | undefined
  authorizeUrl: string
  attempts: MainAttemptStore
  clock: Clock
  log: Log
  /** No browser opened, and the player may use one elsewhere. */
  onUnavailable: (url: string) => void
  /** An answer has come: time to bring the game to the front. */
  onAnswer: () => void
}

export interface SystemBrowser {
  surface: AuthorizationSurface
  /** Hands a deep link to the attempt of this process that waits for it; false when none does. */
  deliver(link: string): boolean
  close(): void
}

interface Listening {
  loopback: Loopback
  /** Undoes what will close it. */
  keepOpen: () => void
}

interface PendingAnswer {
  belongs: (url: string) => boolean
  take: (url: string) => void
}

/** What the functions below share. */
interface BrowserContext extends SystemBrowserOptions {
  loopbacks: Map<string, Listening>
  waiting: Set<PendingAnswer>
  /** Records under way, by state. */
  records: Map<string, Promise<unknown>>
  isClosed: boolean
}

export function createSystemBrowser(options: SystemBrowserOptions): SystemBrowser {
  const context: BrowserContext = { ...options, loopbacks: new Map(), waiting: new Set(), records: new Map(), isClosed: false }
  return {
    surface: {
      redirectUri: () => chooseCallbackMethod(context),
      keep: (attempt, signal) => keepAttempt(context, attempt, signal),
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

/** The redirect URI of the first road that is open. Rejects as if no browser had opened where another device may answer instead. */
async function chooseCallbackMethod(context: BrowserContext): Promise<string> {
  for (const road of context.roads) {
    if (road === 'scheme' && context.scheme?.registered) return `${context.scheme.scheme}:/authorize/callback`
    if (road !== 'loopback') continue
    const loopback = await openLoopback().catch(() => context.log('warn', 'loopback.unavailable'))
    if (!loopback) continue
    // Closed again if the sign-in ends before it comes to open the browser.
    listenFor(context, loopback)
    // It began to listen too late.
    if (context.isClosed) closeLoopback(context, loopback.redirectUri)
    return loopback.redirectUri
  }
  throw context.roads.includes('device') ? new AuthorizationError('browser_unavailable') : new ConfigurationError('unsupported', 'roads')
}

/** A loopback server dies with the process; only a deep link can start the app anew. */
function keepAttempt(context: BrowserContext, attempt: Attempt, signal: AbortSignal): void {
  const { attempts, records, log } = context
  if (context.loopbacks.has(attempt.redirectUri)) return
  const { state } = attempt
  const complain = () => log('warn', 'attempt.not_kept')
  records.set(state, attempts.keep(attempt).catch(complain))
  signal.addEventListener('abort', () => {
    records.delete(state)
    attempts.drop(state).catch(complain)
  })
}

async function openBrowser(context: BrowserContext, url: string, options: OpenOptions): Promise<string> {
  const answer = awaitAnswer(context, new URL(url).searchParams.get('redirect_uri') ?? '', options)
  // The record first: the answer may come to another process.
  await context.records.get(options.state)
  if (options.signal.aborted) return answer
  return new Promise((resolve, reject) => {
    answer.then(resolve, reject)
    // Not awaited: some systems report back only when the browser is closed.
    show(context, url).catch(reject)
  })
}

/** Linux never rejects, whatever became of it: Electron does not wait for `xdg-open`. */
async function show(context: BrowserContext, url: string): Promise<void> {
  try {
    await openExternal(url, context.authorizeUrl)
  } catch (error) {
    if (error instanceof FoyerError) throw error
    context.log('warn', 'browser.unavailable')
    const way = context.roads.find((road) => road === 'paste' || road === 'device')
    if (way !== 'paste') throw new AuthorizationError('browser_unavailable', { cause: error })
    context.onUnavailable(url)
  }
}

function awaitAnswer(context: BrowserContext, redirectUri: string, { belongs, signal }: OpenOptions): Promise<string> {
  const { loopback, keepOpen } = context.loopbacks.get(redirectUri) ?? {}
  keepOpen?.()
  if (!loopback && !isCallbackLink(`${redirectUri}?`, context.scheme?.scheme ?? ''))
    throw new ConfigurationError('invalid_argument', 'customSchemeParam')
  return new Promise((resolve, reject) => {
    const take = (url: string) => {
      context.onAnswer()
      resolve(url)
    }
    const entry: PendingAnswer = { belongs, take }
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
  const keepOpen = context.clock.after(EPILOGUE, () => closeLoopback(context, loopback.redirectUri))
  context.loopbacks.set(loopback.redirectUri, { loopback, keepOpen })
}

function closeLoopback({ loopbacks }: BrowserContext, redirectUri: string): void {
  const listening = loopbacks.get(redirectUri)
  listening?.keepOpen()
  listening?.loopback.close()
  loopbacks.delete(redirectUri)
}
