/** Checks what a sign-in needs of the page, its browser and the service, and names the remedy of what is missing. */
import type { Connection } from './client-settings'
import { addressesOf } from './service-addresses'

export interface Diagnosis {
  check: string
  result: 'passed' | 'warning' | 'failed'
  /** Finding, or the remedy. */
  text: string
}

type Finding = Omit<Diagnosis, 'check'>
type Check = (connection: Connection) => Promise<Finding> | Finding

const INCOMPLETE = 'The settings of the service are incomplete: see Service.'

/** Difference between the clocks, in ms, that the SDK bridges without a word. */
const CLOCK_SKEW = 300_000

const passed = (text: string) => ({ result: 'passed', text }) as const
const warning = (text: string) => ({ result: 'warning', text }) as const
const failed = (text: string) => ({ result: 'failed', text }) as const

const CHECKS: Record<string, Check> = {
  'Secure context': () =>
    isSecureContext
      ? passed('The page may use Web Crypto.')
      : failed('Serve the page over https, or from localhost: a sign-in needs Web Crypto.'),
  'Window for the popup': () =>
    window.crossOriginIsolated
      ? warning('The page is cross-origin isolated: a closed popup is not noticed, so the player has to cancel.')
      : passed('The page sees when the popup closes.'),
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
  BroadcastChannel: () =>
    typeof BroadcastChannel === 'function'
      ? passed('Tabs exchange messages.')
      : warning('Tabs notice changes of the session later, through storage.'),
  'Web Locks': () =>
    'locks' in navigator ? passed('One tab at a time refreshes.') : warning('Tabs agree through the store, which takes longer.'),
  'Callback page': checkCallback,
  Service: checkService,
  'Keys and clock': checkKeys,
}

/** Runs all checks side by side. A check that throws has failed. */
export function diagnose(connection: Connection): Promise<Diagnosis[]> {
  return Promise.all(
    Object.entries(CHECKS).map(async ([check, run]) => {
      try {
        return { check, ...(await run(connection)) }
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
  if (url.origin !== location.origin) return warning(`${url.origin} is another origin: a popup cannot answer from there, a redirect can.`)
  const [page, script] = await Promise.all([fetch(url), fetch(new URL('callback.js', url))])
  if (!page.ok) return failed(`${url.pathname} is not there (${page.status}): copy callback.html and callback.js of the SDK there.`)
  if (!/foyer-callback/.test(await page.text())) return warning(`${url.pathname} is a page of your own: it has to call relayCallback().`)
  if (!script.ok) return failed('callback.js is not beside callback.html: copy it there.')
  return passed(`${url.pathname} and callback.js are there.`)
}

async function checkService(connection: Connection): Promise<Finding> {
  if (!connection.client) return failed(INCOMPLETE)
  const { origin } = new URL(addressesOf(connection.options.service).authorizeUrl)
  const answers = await fetch(origin, { mode: 'no-cors', credentials: 'omit' }).then(
    () => true,
    () => false,
  )
  return answers ? passed(`${origin} answers.`) : failed(`Nothing answers at ${origin}: start the service, or fix its address.`)
}

async function checkKeys(connection: Connection): Promise<Finding> {
  if (!connection.client) return failed(INCOMPLETE)
  const response = await fetch(addressesOf(connection.options.service).keysUrl, { credentials: 'omit' }).catch(() => undefined)
  if (!response) return failed('The page cannot read the keys: the service has to allow this origin (CORS).')
  if (!response.ok) return failed(`The keys URL answers ${response.status}: fix it under Service.`)
  const date = Date.parse(response.headers.get('date') ?? '')
  if (Number.isNaN(date))
    return passed('The keys can be read. The browser does not show the time of the service, so the clock was not compared.')
  const skew = Date.now() - date
  return Math.abs(skew) < CLOCK_SKEW
    ? passed('The keys can be read, and the clocks agree.')
    : warning(`The clock of this machine differs by ${Math.round(skew / 60_000)} minutes: set it.`)
}
