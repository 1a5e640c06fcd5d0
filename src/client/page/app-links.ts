/** Links by which the system opens an app whose page is in a web view: callbacks of sign-ins, and invitations. */
import { inTime } from '../../shared/foundation/in-time'
import { JOIN, readSecret } from '../lobbies/invitation'
import type { LinkReceiver } from '../../shared/authorization/authorization-flow'
import { isText, readUrl } from '../../shared/foundation/untrusted-values'
import { pageAddress, replaceAddress, responseState } from './address-bar'
import { takeFrom, takeParameter } from './invitation-address'
import { readRecord } from './stored-attempt'

/** ms for the system to name the links that have started the app. */
const TIMEOUT = 5000
/** Link whose invitation this run of the app has taken. */
const LAUNCH = 'foyer:launch'

/**
 * Returns the link that is a response to this client. An invitation moves into the address of the page: the one that led to the sign-in, or
 * else the one of a link. The system names links that started the app again after a reload of the page, so each counts once.
 *
 * @param launchUrl returns the links that have started the app.
 * @param to client, its clock, and the link that has arrived while the app runs. Without one, those of `launchUrl` count.
 * @throws NetworkError `timed_out` without links in time.
 */
export async function takeOwnLink(
  launchUrl: () => Promise<unknown>,
  [owner, brand, clock, arrived]: LinkReceiver,
): Promise<string | undefined> {
  const links = arrived ?? (await inTime(launchUrl(), { name: 'launchUrl', clock, timeout: TIMEOUT }))
  const given = [links]
    .flat()
    .filter((link): link is string => isText(link, /./) && readUrl(link) !== undefined)
  const own = given.find((link) => isOwn(readRecord(responseState(link) ?? ''), owner))
  if (own !== undefined && arrived === undefined) restorePage(own)
  if (own === undefined) for (const link of given) takeLinkedInvitation(link, brand, arrived)
  return own
}

const isOwn = (record: Readonly<Record<string, unknown>>, owner: string): boolean =>
  record['owner'] === owner && !record['isUsed'] && !record['isPopup']

/** Query and fragment of the page that has begun the sign-in. */
function restorePage(response: string): void {
  const { page } = readRecord(responseState(response) ?? '')
  if (isText(page, /^[?#]/)) replaceAddress(pageAddress(page))
}

function takeLinkedInvitation(link: string, brand: string, arrived: string | undefined): void {
  const secret = linkedInvitation(link, brand)
  if (secret === undefined || (arrived === undefined && !isFirst(link))) return
  const oldURL = location.href
  const url = new URL(oldURL)
  url.hash += JOIN + encodeURIComponent(secret)
  replaceAddress(url)
  window.dispatchEvent(new HashChangeEvent('hashchange', { oldURL, newURL: url.href }))
}

/** Remembers the link until the app ends. */
function isFirst(link: string): boolean {
  try {
    if (sessionStorage.getItem(LAUNCH) === link) return false
    sessionStorage.setItem(LAUNCH, link)
  } catch {
    // Blocked or full: a reload takes the invitation again.
  }
  return true
}

/** The secret of the invitation in a link of the app. Undefined if there is none, or an unusable one. */
function linkedInvitation(link: string, brand: string): string | undefined {
  try {
    const url = new URL(link)
    const isJoin = new RegExp(`/_${brand}/join/?$`).test(url.pathname)
    // A query is form-encoded.
    const secret = isJoin ? takeParameter(url, 'search', /^secret=/)?.replaceAll('+', '%20') : takeFrom(url)
    return secret === undefined ? undefined : readSecret(secret)
  } catch {
    return undefined
  }
}
