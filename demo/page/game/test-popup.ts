/** Checks of the doctor about windows and tabs: the page's opener policy, a message to another tab, and a test window. */
import { failed, type Finding, passed, warning } from './diagnosis'

/** ms until a message or a window counts as lost. */
const TIMEOUT = 5000

/** Reads the policy that the page was served with. The policy of a service's own pages cannot be read from here. */
export async function checkOpenerPolicy(): Promise<Finding> {
  const response = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' })
  const policy = response.headers.get('cross-origin-opener-policy')?.split(';')[0]?.trim() ?? 'unsafe-none'
  if (policy === 'unsafe-none') return passed('The page sends no policy: it sees when the popup closes.')
  if (policy === 'same-origin-allow-popups') return passed(`The page sends ${policy}: it still sees when the popup closes.`)
  return warning(
    `The page sends ${policy}: a popup looks closed as soon as it shows the service. Its response still arrives; offer a button that cancels.`,
  )
}

/** Sends a message from one channel to another, as the popup does. */
export async function checkBroadcast(): Promise<Finding> {
  if (typeof BroadcastChannel !== 'function')
    return warning('It is missing: tabs notice changes of the session later, and the popup answers through storage.')
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
  if (!popup) return failed('The browser blocked the window: allow popups for this page, or sign in by redirect.')
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
