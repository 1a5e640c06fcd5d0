/** Reads the token of a player's request: from the Authorization header only. */
import { requireRequest } from '../requests/require-request'
import { PLAYER_HEADER } from '../../shared/tokens/kept-token'
import { pageWithoutToken, PlayerTokenError } from './player-token-error'

/** Query parameters that would carry a token (RFC 6750 section 2.3). */
const IN_QUERY = ['access_token', 'id_token', 'token']
const PRINTED = 'It is the text [secret]: the game sends its reveal(), or calls client.backend.fetch'
const PREFIXED = 'Pass the token without prefix, or the Request'
const BEARER = /^Bearer +([!-~]{1,16384})$/i

/**
 * @throws PlayerTokenError `token_in_url` if the URL carries a token, even beside a header; `missing_player_token`.
 * @throws ConfigurationError `invalid_argument` for anything but a string or a `Request` of the Fetch API.
 */
export function readPlayerToken(given: string | Request): string {
  if (typeof given === 'string') return requireText(given)
  requireRequest(given)
  if (hasTokenInUrl(given.url)) throw new PlayerTokenError('token_in_url')
  const authorization = given.headers.get('authorization')
  if (authorization === null && given.headers.has(PLAYER_HEADER)) throw pageWithoutToken()
  return requireText(BEARER.exec(authorization ?? '')?.[1] ?? '')
}

function requireText(token: string): string {
  if (token === '') throw new PlayerTokenError('missing_player_token')
  const remedy = token.includes('[secret]') ? PRINTED : /^bearer\s/i.test(token) ? PREFIXED : undefined
  if (remedy !== undefined) throw new PlayerTokenError('player_token_rejected', { path: 'token', remedy })
  return token
}

function hasTokenInUrl(url: string): boolean {
  const query = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams()
  return IN_QUERY.some((name) => query.has(name))
}
