/** Credentials of a backend: bot, application or user (docs/interface/commands.md#authentication). */
import { ConfigurationError } from '../shared/foundation/errors'
import { callTyped, requireRevealed } from '../shared/foundation/options'
import { VARIABLE_REMEDY, toApplicationId } from '../shared/foundation/ids'
import { isRequestBound } from '../shared/foundation/platform'
import { reveal, Secret } from '../shared/foundation/secret'
import { requestTokens } from '../shared/tokens/token-endpoint'
import { decodeTokenSet, type TokenSet } from '../shared/tokens/token-set'
import { requireBackend } from './require-backend'
import { askVariable } from './keys/ask-variable'
import type { CredentialsSource } from './backend-options'
import { takeOptions } from '../shared/foundation/take-options'

/** Visible ASCII characters, as allowed in a header. */
const TOKEN = /^[!-~]+$/
const TOKEN_REMEDY = 'Pass the token or secret as a string, without prefix, spaces or line breaks'
/** Names of the environment's variables, as docs, templates and the emulator write them. */
const VARIABLES = new Map([
  ['botToken', 'FOYER_BOT_TOKEN'],
  ['clientSecret', 'FOYER_CLIENT_SECRET'],
])
const ONLY_TOKENS =
  'A client secret serves for tokens of players only: pass botToken(…) or clientCredentials(…) for other calls'
const UNWRAPPED_REMEDY =
  'Pass the text itself: botToken(…) and clientSecret(…) make values for the option credentials'
/** Margin in ms for requesting a new token before the old one expires. */
const EXPIRY_MARGIN = 60_000

/** Options of `clientCredentials`. */
export interface ClientCredentialsOptions {
  /** Application id as a decimal string. */
  clientId: string
  /** Client secret of the application. Keep it on the server. */
  clientSecret: Secret | string
  /**
   * Requested scopes. Default: `applications.commands.update`, required for writing commands (docs/interface/commands.md#authentication).
   */
  scopes?: readonly string[] | undefined
}

/**
 * Creates credentials from a bot token without prefix. Keep the token on the server.
 *
 * @throws ConfigurationError `invalid_argument`; `unsupported` in a page.
 */
export function botToken(token: Secret | string): CredentialsSource {
  return callTyped('botToken', () => {
    const secret = requireToken(token, 'botToken')
    return () => ({ kind: 'bot', header: () => `Bot ${secret.reveal()}`, renew: async () => false })
  })
}

/** Creates credentials from a user's access token. */
export function userToken(token: Secret | string): CredentialsSource {
  const secret = requireToken(token, 'accessToken')
  return () => ({ kind: 'user', header: () => `Bearer ${secret.reveal()}`, renew: async () => false })
}

/**
 * Creates credentials with a token that the application requests for itself (RFC 6749 section 4.4), on first use and before each expiry.
 *
 * @throws ConfigurationError `invalid_argument`; `unsupported` in a page.
 */
export function clientCredentials(options: ClientCredentialsOptions): CredentialsSource {
  const {
    clientSecret: given,
    scopes = ['applications.commands.update'],
    ...rest
  } = takeOptions({ ...options }, ['clientId', 'clientSecret', 'scopes'])
  const clientId = toApplicationId(rest.clientId)
  if (!clientId) throw new ConfigurationError('invalid_argument', 'clientId', { remedy: VARIABLE_REMEDY })
  if (!Array.isArray(scopes)) throw new ConfigurationError('invalid_argument', 'scopes: a list')
  const secret = requireToken(given, 'clientSecret')
  return ({ service, ...http }) => {
    const { clock } = http
    let cached: TokenSet | undefined
    let inFlight: Promise<TokenSet> | undefined
    const request = async (): Promise<TokenSet> => {
      const fields = {
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: reveal(secret),
        scope: scopes.join(' '),
      }
      const { body } = await requestTokens(http, { url: service.tokenUrl, fields })
      return decodeTokenSet(body, { requested: scopes, now: clock.now() })
    }
    /** One request for all waiting calls; a failed request is not cached. */
    const token = async (): Promise<TokenSet> => {
      if (cached && cached.expiresAt - EXPIRY_MARGIN > clock.now()) return cached
      // The request of another call may end with it.
      if (isRequestBound()) return (cached = await request())
      inFlight ??= request().finally(() => (inFlight = undefined))
      return (cached = await inFlight)
    }
    return {
      kind: 'application',
      clientSecret: secret,
      header: async () => bearer(await token()),
      async renew(refused) {
        // Discards only the refused token: another call may have replaced it already.
        if (cached && bearer(cached) === refused) cached = undefined
        return true
      },
    }
  }
}

const bearer = ({ accessToken }: TokenSet): string => `Bearer ${accessToken.reveal()}`

/**
 * Creates credentials from the client secret alone, for the tokens of players: `createSessionHandler`, and `tokens` of `ApplicationClient`.
 * Other calls need a bot token or `clientCredentials`. Keep the secret on the server.
 *
 * @throws ConfigurationError `invalid_argument`; `unsupported` in a page.
 */
export function clientSecret(secret: Secret | string | undefined): CredentialsSource {
  return callTyped('clientSecret', () => {
    const own = requireToken(secret, 'clientSecret')
    return () => ({
      kind: 'application',
      clientSecret: own,
      header: () =>
        Promise.reject(new ConfigurationError('invalid_argument', 'credentials', { remedy: ONLY_TOKENS })),
      renew: async () => false,
    })
  })
}

/** Recognizes secrets by shape, since a process may load the SDK twice: as a module and with `require`. */
const isRevealable = (value: unknown): value is Pick<Secret, 'reveal'> =>
  value instanceof Object && 'reveal' in value && typeof value.reveal === 'function'

function remedyFor(field: string): string {
  const variable = VARIABLES.get(field)
  return variable === undefined ? TOKEN_REMEDY : `${TOKEN_REMEDY}; ${askVariable(variable)}`
}

export function requireToken(value: unknown, field: string): Secret {
  requireBackend()
  const text = isRevealable(value) ? value.reveal() : value
  requireRevealed(text, field)
  if (typeof text !== 'string' || !TOKEN.test(text))
    throw new ConfigurationError('invalid_argument', field, {
      remedy: typeof text === 'function' ? UNWRAPPED_REMEDY : remedyFor(field),
    })
  return new Secret(text)
}
