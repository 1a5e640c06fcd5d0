/** Invitations in the address bar: in the fragment, in the join address that the service opens, and in the link of an Activity. */
import { JOIN, readSecret } from '../lobbies/invitation'
import { pageAddress, replaceAddress, responseState } from './address-bar'
import { readRecord, writeRecord } from './stored-attempt'

/**
 * Moves an invitation from `<game>/_<brand>/join?secret=…` to `<game>/#join=…`. Until then, addresses relative to the page are wrong, such as
 * the one of the callback page.
 */
export function moveInvitation(brand: string): void {
  const url = new URL(location.href)
  const path = url.pathname.replace(new RegExp(`/_${brand}/join/?$`), '/')
  const secret = takeParameter(url, 'search', /^secret=/)
  if (path === url.pathname || secret === undefined) return
  url.pathname = path
  // A query is form-encoded.
  url.hash += JOIN + secret.replaceAll('+', '%20')
  replaceAddress(url)
}

/** The invitation that this tab has taken, by client, until a lobby was joined: a reload must not lose it. */
const TAKEN = 'foyer:invitation:'

/**
 * Removes an invitation from the address bar and returns its secret. After a redirect, the record of the attempt may have it, and after a
 * reload the tab. Undefined if there is none, or an unusable one, and without a page.
 *
 * @param owner client that may take it out of an attempt.
 */
export function takeInvitation(owner: string): string | undefined {
  try {
    const { href } = location
    const state = responseState(href) ?? ''
    const record = readRecord(state)
    // The page that was left is not restored yet.
    const isLeft = record['owner'] === owner
    const url = isLeft ? pageAddress(String(record['page'])) : new URL(href)
    const secret = takeFrom(url)
    if (secret === undefined) return takenBefore(owner)
    if (isLeft) writeRecord(state, { ...record, page: url.search + url.hash })
    else replaceAddress(url)
    const usable = readSecret(secret)
    if (usable !== undefined) keepTaken(owner, usable)
    return usable
  } catch {
    // Malformed percent encoding, or a frame that cannot change its address.
    return undefined
  }
}

/** Once for each time that the page is loaded. */
function takenBefore(owner: string): string | undefined {
  const [page, secret] = (sessionStorage.getItem(TAKEN + owner) ?? '').split(' ')
  if (!secret || page === String(performance.timeOrigin)) return undefined
  const usable = readSecret(secret)
  if (usable !== undefined) keepTaken(owner, usable)
  return usable
}

function keepTaken(owner: string, secret: string): void {
  try {
    sessionStorage.setItem(TAKEN + owner, `${performance.timeOrigin} ${encodeURIComponent(secret)}`)
  } catch {
    // Blocked or full: a reload loses it.
  }
}

/** The player has joined a lobby: an invitation of before does not come back. */
export function forgetInvitation(owner: string): void {
  try {
    sessionStorage.removeItem(TAKEN + owner)
  } catch {
    // Blocked: nothing is kept.
  }
}

/** The secret of the invitation in the address bar, which stays there. Undefined if there is none, or an unusable one. */
export function shownInvitation(): string | undefined {
  try {
    const secret = takeFrom(new URL(location.href))
    return secret === undefined ? undefined : readSecret(secret)
  } catch {
    return undefined
  }
}

/** Removes every invitation. The one of the fragment is the newer one: `inviteLink` adds it to the address of the page. */
export function takeFrom(url: URL): string | undefined {
  const [added, launched] = [
    takeParameter(url, 'hash', /^join=/),
    takeParameter(url, 'search', /^custom_id=join(=|%3D)/i),
  ]
  // A query is form-encoded.
  return added ?? launched?.replaceAll('+', '%20')
}

/** Removes a parameter by its beginning, and returns the rest. One that is repeated becomes a text that is no secret. */
export function takeParameter(url: URL, part: 'hash' | 'search', own: RegExp): string | undefined {
  let taken: string | undefined
  const others = url[part]
    .slice(1)
    .split(/&|#(?=join=)/)
    .filter((text) => {
      const rest = text.replace(own, '')
      if (rest === text) return true
      taken = taken === undefined ? rest : '<'
      return false
    })
  url[part] = others.join('&')
  return taken
}
