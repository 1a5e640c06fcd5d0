/** Rare parts of a start of a page, as one part: another page's attempt, responses to another client or window, and what nobody takes. */
import { decodeAttempt, isFresh } from '../../shared/authorization/decode-attempt'
import type { Attempt } from '../../shared/authorization/attempt'
import { ownerOf } from '../../shared/authorization/authorization-result'
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { AuthorizationError } from '../../shared/foundation/errors'
import { type LogEntry, warnInConsole } from '../../shared/foundation/log-entry'
import type { ClientBase } from '../context/client-base'
import { isRecordOf, storedKey } from '../session/session'
import { decodeStored } from '../session/stored-session'
import { PREFIX, readRecord, writeRecord, deleteAttempt } from './stored-attempt'
import { removeResponse, responseState, pageAddress } from './address-bar'
import { openChannel, RECEIVED } from './callback-channel'
import { isText } from '../../shared/foundation/untrusted-values'

export { toRegisteredUrl } from './probe-callback'

/** Time in ms after which every tab sees that a record was removed: browsers copy local storage to other processes with a delay. */
const HOLD = 10_000

/**
 * Removes and returns an attempt of this owner, in whichever tab of the browser its callback arrived first. The tab remembers that it was
 * used, so that the same URL is recognized after a reload. @throws AuthorizationError `timed_out` if the attempt is too old.
 */
export async function takeAttempt(
  state: string,
  { owner, clock }: { owner: string; clock: Clock },
): Promise<Attempt | undefined> {
  if (readRecord(state)['owner'] !== owner || !(await claim(PREFIX + state, clock))) return undefined
  const attempt = decodeAttempt(readRecord(state))
  deleteAttempt(state)
  if (!attempt) return undefined
  rememberUse(attempt)
  if (!isFresh(attempt, clock.now())) throw new AuthorizationError('timed_out')
  return attempt
}

/** Resolves with false if another tab is taking the same attempt. A lock is exact, local storage alone is not. */
function claim(name: string, clock: Clock): Promise<boolean> {
  const { locks }: { locks?: LockManager } = navigator
  if (!locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    const hold = (lock: Lock | null): Promise<void> | undefined => {
      resolve(!!lock)
      return lock ? new Promise((release) => void clock.after(HOLD, release)) : undefined
    }
    locks.request(name, { ifAvailable: true }, hold).catch(() => resolve(true))
  })
}

function rememberUse({ state, owner, begun }: Attempt): void {
  try {
    sessionStorage.setItem(PREFIX + state, JSON.stringify({ owner, begun, isUsed: true }))
  } catch {
    // Blocked or full: after a reload the URL belongs to nobody.
  }
}

const UNTAKEN = {
  remedy:
    'A sign-in came back to this page, and nobody completes it: call client.resume() when the page starts, in every page that a redirect may come back to',
}

/** Says that the response of this client is still in the address bar, if it is. */
export function nameUntaken({ options, log, closeSignal }: ClientBase): void {
  const { owner, isPopup } = readRecord(responseState(location.href) ?? '')
  if (closeSignal.aborted || isPopup || owner !== ownerOf(options)) return
  log('warn', 'callback.untaken', UNTAKEN)
}

const UNRESUMED = {
  remedy: 'The store has a session, and nobody restores it: call client.resume() when the page starts',
}

/** Writes an entry with a remedy to the console, for a client without a logger. @param told Remedies that it has written. */
export function warnOnce(told: Set<unknown>, { step, data }: LogEntry): void {
  const { remedy } = data
  if (!told.has(remedy)) warnInConsole('warn', step, data)
  told.add(remedy)
}

/** Says that the store has a session of this client, if it has one. */
export async function nameUnresumed({ options, log, closeSignal }: ClientBase): Promise<void> {
  const { applicationId: clientId, service, tokenStore } = options
  const text = await tokenStore?.get(storedKey(options, clientId))
  const isStored = isRecordOf(decodeStored(text, { clientId, issuer: service.issuer }))
  if (isStored && !closeSignal.aborted) log('warn', 'session.unresumed', UNRESUMED)
}

/** Time in ms for the waiting game to answer. */
const ACKNOWLEDGE_TIMEOUT = 2000

/** Closes the window if a game of this browser waits for the response. If none does, it is nobody's, and stays in the address bar. */
export async function relayFromGame(): Promise<void> {
  const { href } = location
  const state = responseState(href) ?? ''
  const isReceived = await new Promise<boolean>((resolve) => {
    const cancel = systemClock.after(ACKNOWLEDGE_TIMEOUT, () => resolve(false))
    const onMessage = (message: string) => {
      if (message !== RECEIVED) return
      cancel()
      resolve(true)
    }
    const channel = openChannel({ state, peer: window.opener, onMessage })
    channel.post(href)
    systemClock.after(ACKNOWLEDGE_TIMEOUT, () => channel.close())
  })
  if (isReceived || readRecord(state)['isPopup']) removeResponse()
  if (isReceived) window.close()
}

/**
 * Reloads the page with its original query and the response, once per attempt: the query determines the client (`?profile=bob`), and an
 * exact redirect URI cannot contain it. Resolves if there is nothing to restore.
 */
export async function returnToLeftPage(): Promise<void> {
  await untilLoaded()
  // Another client of this page may have taken the response meanwhile.
  const state = responseState(location.href)
  const { page, isBack, ...record } = readRecord(state ?? '')
  if (state === undefined || !isText(page, /^[?#]/) || isBack) return
  // Stored first, to prevent a reload loop if the server drops the query.
  if (writeRecord(state, { ...record, page, isBack: true })) return
  const url = pageAddress(page)
  const response = location.search.slice(1)
  url.search += (url.search ? '&' : '?') + response
  history.replaceState(history.state, '', url)
  location.reload()
  // The reload discards this page.
  await new Promise(() => undefined)
}

/** After `load`, every script of the page has run and created its clients. */
async function untilLoaded(): Promise<void> {
  if (document.readyState !== 'complete')
    await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))
}
