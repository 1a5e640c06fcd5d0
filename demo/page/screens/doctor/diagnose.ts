/** Checks what a sign-in needs of the page, its browser and the service, and names the remedy of what is missing. */
import { ApiError, type Client } from 'foyer-sdk'
import { decodeToken } from '../../exchanges/decode-token'
import type { Exchange } from '../../exchanges/exchange'
import type { ExchangeRecorder } from '../../exchanges/exchange-recorder'
import { addLobby } from '../../game/add-lobby'
import { addressesOf } from '../../game/addresses-of'
import type { Connection } from '../../game/connection'
import { explain } from '../../game/explain'
import type { PageClock } from '../../game/page-clock'

/** Result of one check. */
export interface Diagnosis {
  check: string
  result: 'passed' | 'warning' | 'failed'
  /** Finding, or the remedy. */
  text: string
}

export type Finding = Omit<Diagnosis, 'check'>

const passed = (text: string): Finding => ({ result: 'passed', text })
const warning = (text: string): Finding => ({ result: 'warning', text })
const failed = (text: string): Finding => ({ result: 'failed', text })

type Check = (examined: Examined) => Promise<Finding> | Finding

const CHECKS: Record<string, Check> = {
  'Secure context': () =>
    isSecureContext
      ? passed('The page may use Web Crypto.')
      : failed('Serve the page over https, or from localhost: a sign-in needs Web Crypto.'),
  'Cross-Origin-Opener-Policy': checkOpenerPolicy,
  'Cross-origin isolation': () =>
    window.crossOriginIsolated
      ? warning(
          'The page is cross-origin isolated: a closed popup is not noticed, so the player has to cancel.',
        )
      : passed('The page is not isolated.'),
  Embedding: () =>
    window.top === window
      ? passed('The page is not in a frame.')
      : warning('The page is in a frame: its sandbox needs allow-popups and allow-same-origin.'),
  'Storage of the tab': () =>
    canStore(() => sessionStorage)
      ? passed('A redirect finds its attempt again.')
      : failed('Storage is blocked: use the popup, a redirect would be lost.'),
  'Storage of the browser': () =>
    canStore(() => localStorage)
      ? passed('Sessions can be stored.')
      : warning('Storage is blocked: the player signs in again after a reload.'),
  BroadcastChannel: checkBroadcast,
  'Web Locks': () =>
    'locks' in navigator
      ? passed('One tab at a time refreshes.')
      : warning('Tabs agree through the store, which takes longer.'),
  'Callback page': ({ connection }) => checkCallback(connection),
  Service: ({ connection }) => checkService(connection),
  Keys: ({ connection }) => checkKeys(connection),
  Clock: checkClock,
  'Headers about limits': checkHeaders,
}

/** Runs all checks side by side. A check that throws has failed. */
export function diagnose(examined: Examined): Promise<Diagnosis[]> {
  return Promise.all(
    Object.entries(CHECKS).map(async ([check, run]) => {
      try {
        return { check, ...(await run(examined)) }
      } catch (error) {
        return { check, ...failed(`The check itself failed: ${String(error)}`) }
      }
    }),
  )
}

function canStore(storage: () => Storage): boolean {
  try {
    storage().setItem('foyer-demo:doctor', '1')
    storage().removeItem('foyer-demo:doctor')
    return true
  } catch {
    return false
  }
}

async function checkCallback(connection: Connection): Promise<Finding> {
  const redirectUri = connection.client && connection.options.redirectUri
  const url = new URL(typeof redirectUri === 'string' ? redirectUri : 'callback.html', location.href)
  if (url.origin !== location.origin)
    return warning(`${url.origin} is another origin: a popup cannot answer from there, a redirect can.`)
  const [page, script] = await Promise.all([fetch(url), fetch(new URL('callback.js', url))])
  if (!page.ok)
    return failed(
      `${url.pathname} is not there (${page.status}): copy callback.html and callback.js of the SDK there.`,
    )
  if (!/foyer-callback/.test(await page.text()))
    return warning(`${url.pathname} is a page of your own: it has to call relayCallback().`)
  if (!script.ok) return failed('callback.js is not beside callback.html: copy it there.')
  return passed(`${url.pathname} and callback.js are there.`)
}

async function checkService(connection: Connection): Promise<Finding> {
  if (!connection.client) return failed(INCOMPLETE)
  const { authorizeUrl, keysUrl } = addressesOf(connection.options.service)
  const { origin } = new URL(authorizeUrl)
  // Its first page may be forbidden, which the console would show in red.
  const isBeside = new URL(keysUrl).origin === origin
  const answers = await fetch(isBeside ? keysUrl : origin, { mode: 'no-cors', credentials: 'omit' }).then(
    () => true,
    () => false,
  )
  return answers
    ? passed(`${origin} answers.`)
    : failed(`Nothing answers at ${origin}: start the service, or fix its address.`)
}

async function checkKeys(connection: Connection): Promise<Finding> {
  if (!connection.client) return failed(INCOMPLETE)
  const response = await fetch(addressesOf(connection.options.service).keysUrl, {
    credentials: 'omit',
  }).catch(() => undefined)
  if (!response) return failed('The page cannot read the keys: the service has to allow this origin (CORS).')
  if (!response.ok) return failed(`The keys URL answers ${response.status}: fix it under Service.`)
  return passed('The page can read the keys that sign ID tokens.')
}

interface Examined {
  connection: Connection
  exchanges: ExchangeRecorder
  clock: PageClock
  /** `ask`: a refused request of the player may be sent. `look`: nothing is sent that the console of the browser shows in red. */
  effort: 'ask' | 'look'
}

const INCOMPLETE = 'The settings of the service are incomplete: see Service.'

/** Difference between two clocks, in ms, that is usual. */
const CLOCK_SKEW = 300_000
/** Largest difference, in ms, that the SDK corrects by the ID token of a sign-in. */
const CORRECTED = 48 * 3_600_000
const LIMIT_HEADERS = /^(?:retry-after|x-ratelimit-)/i

/** Compares with the newest ID token: browsers hide the `Date` header of other origins, unless the service exposes it. */
async function checkClock({ connection, exchanges, clock }: Examined): Promise<Finding> {
  if (!connection.client) return failed(INCOMPLETE)
  if (Math.abs(clock.now() - Date.now()) > CLOCK_SKEW)
    return warning('Not compared: the clock of this page was set forward under Lifecycle.')
  const skew =
    skewOfToken(exchanges.list.value) ?? (await skewOfDate(addressesOf(connection.options.service).keysUrl))
  if (skew === undefined)
    return warning(
      'Not compared yet: the browser hides the time of the service. Sign in, then run the checks again: an ID token has it.',
    )
  if (Math.abs(skew) < CLOCK_SKEW)
    return passed(`The clocks differ by ${(Math.abs(skew) / 1000).toFixed(0)} s.`)
  const direction = skew > 0 ? 'ahead of' : 'behind'
  const words = `The clock of this machine is ${Math.round(Math.abs(skew) / 60_000)} minutes ${direction} the service: set it.`
  if (Math.abs(skew) < CORRECTED)
    return warning(`${words} Until then, the SDK corrects it by the ID token of each sign-in.`)
  return failed(`${words} The SDK corrects at most two days, and refuses the sign-in.`)
}

/** Time of this machine minus that of the service, in ms. */
function skewOfToken(exchanges: readonly Exchange[]): number | undefined {
  for (const { response, startedAt, duration = 0 } of exchanges.toReversed()) {
    const token = response?.body.find(({ name, isLeftOut }) => name === 'id_token' && !isLeftOut)
    const issuedAt = token && readIssuedAt(token.value)
    if (issuedAt !== undefined) return startedAt + duration - issuedAt * 1000
  }
  return undefined
}

function readIssuedAt(token: string): number | undefined {
  const issuedAt = decodeToken(token)?.claims['iat']
  return typeof issuedAt === 'number' ? issuedAt : undefined
}

async function skewOfDate(url: string): Promise<number | undefined> {
  const response = await fetch(url, { credentials: 'omit', cache: 'no-store' }).catch(() => undefined)
  const date = Date.parse(response?.headers.get('date') ?? '')
  return Number.isNaN(date) ? undefined : Date.now() - date
}

/**
 * Looks for the headers in what the page's own client received. If there are none, a signed-in player writes to a lobby that does not
 * exist: services send the headers with the responses of limited calls alone.
 */
async function checkHeaders({ connection, exchanges, effort }: Examined): Promise<Finding> {
  const { client } = connection
  if (!client) return failed(INCOMPLETE)
  const isUnseen = visibleIn(exchanges.list.value).length === 0
  if (isUnseen && client.session && effort === 'look')
    return warning('Not tried yet: run the checks, and the player writes to a lobby that does not exist.')
  const fault = isUnseen && client.session ? await writeToNoLobby(client, client.session.userId) : undefined
  if (fault !== undefined)
    return failed(`The API did not answer: ${explain(fault).code}. ${explain(fault).advice}`)
  const visible = visibleIn(exchanges.list.value)
  if (visible.length > 0) return passed(`The page sees ${visible.join(', ')}.`)
  if (!client.session) return warning('No answer of the API yet: sign in, then run the checks again.')
  return warning(
    'The page sees none: the service sends none, or does not list them in Access-Control-Expose-Headers. The SDK then counts by the documented limits alone.',
  )
}

/** Resolves with the error unless the service refused, as it should. A player's id is the id of no lobby. */
async function writeToNoLobby(client: Client, userId: string): Promise<unknown> {
  try {
    const lobby = await addLobby(client, userId)
    await lobby.send('Doctor')
    return undefined
  } catch (error) {
    return error instanceof ApiError ? undefined : error
  }
}

function visibleIn(exchanges: readonly Exchange[]): string[] {
  const names = exchanges
    .flatMap(({ response }) => response?.headers ?? [])
    .flatMap(({ name }) => (LIMIT_HEADERS.test(name) ? [name] : []))
  return [...new Set(names)].sort()
}

/** ms until a message or a window counts as lost. */
const TIMEOUT = 5000

/** Reads the policy that the page was served with. The policy of a service's own pages cannot be read from here. */
async function checkOpenerPolicy(): Promise<Finding> {
  const response = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' })
  const policy = response.headers.get('cross-origin-opener-policy')?.split(';')[0]?.trim() ?? 'unsafe-none'
  if (policy === 'unsafe-none') return passed('The page sends no policy: it sees when the popup closes.')
  if (policy === 'same-origin-allow-popups')
    return passed(`The page sends ${policy}: it still sees when the popup closes.`)
  return warning(
    `The page sends ${policy}: a popup looks closed as soon as it shows the service. Its response still arrives; offer a button that cancels.`,
  )
}

/** Sends a message from one channel to another, as the popup does. */
async function checkBroadcast(): Promise<Finding> {
  if (typeof BroadcastChannel !== 'function')
    return warning(
      'It is missing: tabs notice changes of the session later, and the popup answers through storage.',
    )
  const name = `foyer-demo:doctor ${Math.random()}`
  const [sender, receiver] = [new BroadcastChannel(name), new BroadcastChannel(name)]
  const hasArrived = await arrival((arrived) => {
    receiver.addEventListener('message', arrived, { once: true })
    sender.postMessage('')
  })
  for (const channel of [sender, receiver]) channel.close()
  return hasArrived
    ? passed('A message arrived: tabs and the popup reach this page.')
    : warning('A message did not arrive: tabs and the popup answer through storage.')
}

/** Opens the callback page, without a callback, and closes it. Call it inside a click. */
export async function testPopup(): Promise<Finding> {
  const popup = window.open('callback.html', '_blank', 'popup,width=360,height=280')
  if (!popup)
    return failed('The browser blocked the window: allow popups for this page, or sign in by redirect.')
  const hasLoaded = await arrival((loaded) => popup.addEventListener('load', loaded, { once: true }))
  const isConnected = hasLoaded && !popup.closed && popup.opener === window
  popup.close()
  if (isConnected) return passed('The browser opened a window on the click, and both see each other.')
  return hasLoaded || popup.closed
    ? warning('The window opened, but looks closed from here: the player has to cancel by a button.')
    : warning('The window opened, but its page did not load: see Callback page.')
}

/** Resolves with true when the callback is called, with false after the timeout. */
function arrival(start: (arrived: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), TIMEOUT)
    start(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
