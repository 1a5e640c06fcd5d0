/** Takes an authorization answer out of the address bar, so that it reaches no history, no referrer and no analytics. */

const ANSWER = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri']
const FRAGMENT_ANSWER = /[#&](?:code|state|error|access_token|id_token)=/

/** The page's whole URL when it holds an answer, and undefined otherwise. The bar is clean when this returns. */
export function takeCallbackUrl(): string | undefined {
  if (typeof document !== 'object') return undefined
  const { href, pathname, search, hash } = location
  const query = new URLSearchParams(search)
  const inQuery = query.has('state') || query.has('code') || query.has('error')
  const inFragment = FRAGMENT_ANSWER.test(hash)
  if (!inQuery && !inFragment) return undefined
  for (const name of ANSWER) query.delete(name)
  const rest = String(query)
  history.replaceState(history.state, '', pathname + (rest && `?${rest}`) + (inFragment ? '' : hash))
  return href
}
