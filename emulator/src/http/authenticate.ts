/** Finds out who calls the API: the application's bot, or an application with a player's token. */
import type { Provider } from 'oidc-provider'
import { sameSecret } from '../secrets.js'
import type { Player } from '../seed/seed.js'
import type { Service } from '../service.js'

export interface BotCaller {
  kind: 'bot'
  applicationId: string
  scopes: Set<string>
}

export interface BearerCaller {
  kind: 'bearer'
  applicationId: string
  /** Whom the token acts as; for a token that the application got for itself, its owner. */
  player: Player
  scopes: Set<string>
  /** Epoch seconds. */
  expires: number
}

export type Caller = BotCaller | BearerCaller

/** Why nobody was recognised, in the words of the `X-Emulator-Rule` header. */
export interface Stranger {
  kind: 'stranger'
  rule: string
}

export type Authenticate = (authorization: string | undefined) => Promise<Caller | Stranger>

export function createAuthenticate(service: Service, provider: Provider): Authenticate {
  return async (authorization) => {
    const [scheme, value = ''] = (authorization ?? '').split(' ')
    if (scheme === 'Bot' && value !== '') return bot(value, service)
    if (scheme === 'Bearer' && value !== '') return bearer(value, service, provider)
    return stranger('the Authorization header is neither "Bearer <access token>" nor "Bot <bot token>"')
  }
}

function bot(value: string, { credentials, seed }: Service): Caller | Stranger {
  if (!sameSecret(value, credentials.botToken)) return stranger('the bot token is not the one of the application here')
  return { kind: 'bot', applicationId: seed.application.id, scopes: new Set() }
}

async function bearer(value: string, service: Service, provider: Provider): Promise<Caller | Stranger> {
  const token = (await provider.AccessToken.find(value)) ?? (await provider.ClientCredentials.find(value))
  if (token === undefined) return stranger(fateOf(value, service))
  const id = 'accountId' in token ? token.accountId : service.seed.players[0]?.id
  const player = service.seed.players.find((candidate) => candidate.id === id)
  if (player === undefined || token.clientId === undefined) return stranger('the access token belongs to nobody here')
  const expires = (token.exp ?? 0) + service.clock.aheadSeconds
  return { kind: 'bearer', applicationId: token.clientId, player, scopes: token.scopes, expires }
}

function fateOf(token: string, { state: { records } }: Service): string {
  const kind = records.find('AccessToken', token) === undefined ? 'ClientCredentials' : 'AccessToken'
  const fate = records.fate('AccessToken', token) ?? records.fate('ClientCredentials', token)
  if (fate !== undefined) return `the access token no longer works: ${fate}`
  return records.find(kind, token) === undefined ? 'the access token was never issued here' : 'the access token is expired'
}

function stranger(rule: string): Stranger {
  return { kind: 'stranger', rule }
}
