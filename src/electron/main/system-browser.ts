/** Shows the authorize page in the system browser; the answer comes back to this machine's loopback address, or as a deep link. */
import type { Attempt } from '../../authorization/request'
import type { AuthorizationSurface, OpenOptions } from '../../authorization/surface'
import type { Clock } from '../../foundation/clock'
import { AuthorizationError, ConfigurationError, FoyerError } from '../../foundation/errors'
import type { Log } from '../../foundation/log'
import type { AttemptStore } from './attempts'
import type { DeepLinks } from './deep-links'
import { isCallbackLink } from './link'
import { type Loopback, openLoopback } from './loopback'
import { openExternal } from './open-external'

/** How long a server outlives its attempt, in ms: a late answer is told that its sign-in is over. */
const EPILOGUE = 60_000

/**
 * The roads of a sign-in, tried in the order given. `loopback` and `scheme` say where the answer arrives; `paste` and `device` what
 * happens where no browser opens.
 */
export type Road = 'loopback' | 'scheme' | 'paste' | 'device'

export interface SystemBrowserOptions {
  roads: readonly Road[]
  scheme: DeepLinks | undefined
  authorizeUrl: string
  attempts: AttemptStore
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

interface Waiting {
  belongs: (url: string) => boolean
  take: (url: string) => void
}

/** What the functions below share. */
interface Desk extends SystemBrowserOptions {
  loopbacks: Map<string, Listening>
  waiting: Set<Waiting>
  /** Records under way, by state. */
  records: Map<string, Promise<unknown>>
  isClosed: boolean
}

export function createSystemBrowser(options: SystemBrowserOptions): SystemBrowser {
  const desk: Desk = { ...options, loopbacks: new Map(), waiting: new Set(), records: new Map(), isClosed: false }
  return {
    surface: {
      redirectUri: () => chooseRoad(desk),
      keep: (attempt, signal) => keepAttempt(desk, attempt, signal),
      open: (url, open) => openBrowser(desk, url, open),
    },
    deliver(link) {
      const entry = [...desk.waiting].find(({ belongs }) => belongs(link))
      entry?.take(link)
      return entry !== undefined
    },
    close() {
      desk.isClosed = true
      for (const uri of desk.loopbacks.keys()) closeLoopback(desk, uri)
    },
  }
}

/** The redirect URI of the first road that is open. Rejects as if no browser had opened where another device may answer instead. */
async function chooseRoad(desk: Desk): Promise<string> {
  for (const road of desk.roads) {
    if (road === 'scheme' && desk.scheme?.registered) return `${desk.scheme.scheme}:/authorize/callback`
    if (road !== 'loopback') continue
    const loopback = await openLoopback().catch(() => desk.log('warn', 'loopback.unavailable'))
    if (!loopback) continue
    // Closed again if the sign-in ends before it comes to open the browser.
    listenFor(desk, loopback)
    // It began to listen too late.
    if (desk.isClosed) closeLoopback(desk, loopback.redirectUri)
    return loopback.redirectUri
  }
  throw desk.roads.includes('device') ? new AuthorizationError('browser_unavailable') : new ConfigurationError('unsupported', 'roads')
}

/** A loopback server dies with the process; only a deep link can start the app anew. */
function keepAttempt(desk: Desk, attempt: Attempt, signal: AbortSignal): void {
  const { attempts, records, log } = desk
  if (desk.loopbacks.has(attempt.redirectUri)) return
  const { state } = attempt
  const complain = () => log('warn', 'attempt.not_kept')
  records.set(state, attempts.keep(attempt).catch(complain))
  signal.addEventListener('abort', () => {
    records.delete(state)
    attempts.drop(state).catch(complain)
  })
}

async function openBrowser(desk: Desk, url: string, options: OpenOptions): Promise<string> {
  const answer = awaitAnswer(desk, new URL(url).searchParams.get('redirect_uri') ?? '', options)
  // The record first: the answer may come to another process.
  await desk.records.get(options.state)
  if (options.signal.aborted) return answer
  return new Promise((resolve, reject) => {
    answer.then(resolve, reject)
    // Not awaited: some systems report back only when the browser is closed.
    show(desk, url).catch(reject)
  })
}

/** Linux never rejects, whatever became of it: Electron does not wait for `xdg-open`. */
async function show(desk: Desk, url: string): Promise<void> {
  try {
    await openExternal(url, desk.authorizeUrl)
  } catch (error) {
    if (error instanceof FoyerError) throw error
    desk.log('warn', 'browser.unavailable')
    const way = desk.roads.find((road) => road === 'paste' || road === 'device')
    if (way !== 'paste') throw new AuthorizationError('browser_unavailable', { cause: error })
    desk.onUnavailable(url)
  }
}

function awaitAnswer(desk: Desk, redirectUri: string, { belongs, signal }: OpenOptions): Promise<string> {
  const { loopback, keepOpen } = desk.loopbacks.get(redirectUri) ?? {}
  keepOpen?.()
  if (!loopback && !isCallbackLink(`${redirectUri}?`, desk.scheme?.scheme ?? ''))
    throw new ConfigurationError('invalid_argument', 'customSchemeParam')
  return new Promise((resolve, reject) => {
    const take = (url: string) => {
      desk.onAnswer()
      resolve(url)
    }
    const entry: Waiting = { belongs, take }
    desk.waiting.add(entry)
    loopback?.expect({ ...entry, giveUp: () => reject(new AuthorizationError('state_mismatch')) })
    signal.addEventListener('abort', () => {
      desk.waiting.delete(entry)
      loopback?.end()
      if (loopback && desk.loopbacks.has(redirectUri)) listenFor(desk, loopback)
    })
  })
}

function listenFor(desk: Desk, loopback: Loopback): void {
  const keepOpen = desk.clock.after(EPILOGUE, () => closeLoopback(desk, loopback.redirectUri))
  desk.loopbacks.set(loopback.redirectUri, { loopback, keepOpen })
}

function closeLoopback({ loopbacks }: Desk, redirectUri: string): void {
  const listening = loopbacks.get(redirectUri)
  listening?.keepOpen()
  listening?.loopback.close()
  loopbacks.delete(redirectUri)
}
