/** Checks what a sign-in needs of the page, its browser and the service, and names the remedy of what is missing. */
import type { Connection } from './connection'
import { checkBroadcast, checkOpenerPolicy } from './test-popup'
import { checkClock, checkHeaders, type Examined, INCOMPLETE } from './check-clock'
import { type Diagnosis, failed, type Finding, passed, warning } from './diagnosis'
import { addressesOf } from './addresses-of'

type Check = (examined: Examined) => Promise<Finding> | Finding

const CHECKS: Record<string, Check> = {
  'Secure context': () =>
    isSecureContext
      ? passed('The page may use Web Crypto.')
      : failed('Serve the page over https, or from localhost: a sign-in needs Web Crypto.'),
  'Cross-Origin-Opener-Policy': checkOpenerPolicy,
  'Cross-origin isolation': () =>
    window.crossOriginIsolated
      ? warning('The page is cross-origin isolated: a closed popup is not noticed, so the player has to cancel.')
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
    'locks' in navigator ? passed('One tab at a time refreshes.') : warning('Tabs agree through the store, which takes longer.'),
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
  return passed('The page can read the keys that sign ID tokens.')
}
