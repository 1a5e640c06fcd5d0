/** Who a backend is to the service: a bot, an application with its own token, or a user (S:282-284). */
import { ConfigurationError } from '../foundation/errors'
import { ID_REMEDY, toApplicationId } from '../foundation/ids'
import { reveal, Secret } from '../foundation/secret'
import { requestTokens } from '../tokens/token-endpoint'
import { decodeTokenSet, type TokenSet } from '../tokens/token-set'
import { requireBackend } from './backend-only'
import type { CredentialsSource } from './options'

/** Visible ASCII: what a header can carry. */
const TOKEN = /^[!-~]+$/
const TOKEN_REMEDY = 'Give the text of the token or secret, without a prefix, spaces or line breaks; is the environment variable set?'
/** A token is renewed this long before it ends, in ms, so that none ends on the way. */
const EARLY = 60_000

export interface ClientCredentialsOptions {
  clientId: string
  clientSecret: Secret | string
  /** Default: `applications.commands.update`, which writing commands needs (S:283). */
  scopes?: readonly string[]
}

/**
 * The bot's token, without a prefix. Keep it on the server.
 * @throws ConfigurationError `invalid_argument`; `unsupported` in a page.
 */
export function botToken(token: Secret | string): CredentialsSource {
  const secret = requireToken(token, 'botToken')
  return () => ({ kind: 'bot', header: async () => `Bot ${secret.reveal()}`, renew: async () => false })
}

/** A user's access token. */
export function userToken(token: Secret | string): CredentialsSource {
  const secret = requireToken(token, 'accessToken')
  return () => ({ kind: 'user', header: async () => `Bearer ${secret.reveal()}`, renew: async () => false })
}

/**
 * A token that the application gets for itself (RFC 6749 section 4.4), when it is first needed, and again before it ends.
 * @throws ConfigurationError `invalid_argument`; `unsupported` in a page.
 */
export function clientCredentials(options: ClientCredentialsOptions): CredentialsSource {
  const { clientSecret, scopes = ['applications.commands.update'], ...rest } = { ...options }
  const clientId = toApplicationId(rest.clientId)
  if (!clientId) throw new ConfigurationError('invalid_argument', 'clientId', { remedy: ID_REMEDY })
  if (!Array.isArray(scopes)) throw new ConfigurationError('invalid_argument', 'scopes: a list')
  const secret = requireToken(clientSecret, 'clientSecret')
  return ({ fetch, clock, service }) => {
    let kept: TokenSet | undefined
    let flight: Promise<TokenSet> | undefined
    const request = async (): Promise<TokenSet> => {
      const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: reveal(secret), scope: scopes.join(' ') }
      const { body } = await requestTokens({ fetch, clock }, { url: service.tokenUrl, fields })
      return decodeTokenSet(body, { asked: scopes, now: clock.now() })
    }
    /** One request for all calls that wait; a failed one is not kept. */
    const token = async (): Promise<TokenSet> => {
      if (kept && kept.expiresAt - EARLY > clock.now()) return kept
      flight ??= request().finally(() => (flight = undefined))
      return (kept = await flight)
    }
    return {
      kind: 'application',
      header: async () => bearer(await token()),
      async renew(refused) {
        // Another call may have renewed it, or be about to: only the token that was refused is given up.
        if (kept && bearer(kept) === refused) kept = undefined
        return true
      },
    }
  }
}

const bearer = ({ accessToken }: TokenSet): string => `Bearer ${accessToken.reveal()}`

function requireToken(value: unknown, field: string): Secret {
  requireBackend()
  const text = value instanceof Secret ? value.reveal() : value
  if (typeof text !== 'string' || !TOKEN.test(text)) throw new ConfigurationError('invalid_argument', field, { remedy: TOKEN_REMEDY })
  return new Secret(text)
}
