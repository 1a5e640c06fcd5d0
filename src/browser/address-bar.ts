/** Takes an authorization answer out of the address bar, so that it reaches no history, no referrer and no analytics. */

const ANSWER = /[?#&](code|state|error|access_token|id_token)=/

/** The page's whole URL when it holds an answer, and undefined otherwise. The bar is clean when this returns. */
export function takeCallbackUrl(): string | undefined {
  if (typeof document !== 'object') return undefined
  const { href, pathname, search, hash } = location
  if (!ANSWER.test(search + hash)) return undefined
  const query = new URLSearchParams(search)
  for (const name of 'code state iss error error_description'.split(' ')) query.delete(name)
  const rest = String(query)
  history.replaceState(history.state, '', pathname + (rest && `?${rest}`) + (ANSWER.test(hash) ? '' : hash))
  return href
}
