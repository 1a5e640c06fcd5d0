/** Takes an authorization answer out of the address bar, so that it reaches no history, no referrer and no analytics. */

/** Every answer says whose it is: a `code` alone is the game's own, as in a link that invites to a room. */
const ANSWER = /[?#&](state|access_token|id_token)=/

/** The page's whole URL when it holds an answer, and undefined otherwise. The bar is clean when this returns. */
export function takeCallbackUrl(): string | undefined {
  if (typeof document !== 'object') return undefined
  const { href } = location
  const url = new URL(href)
  const { searchParams, search, hash } = url
  if (!ANSWER.test(search + hash)) return undefined
  for (const name of 'code state iss error error_description'.split(' ')) searchParams.delete(name)
  if (ANSWER.test(hash)) url.hash = ''
  history.replaceState(history.state, '', url)
  return href
}
