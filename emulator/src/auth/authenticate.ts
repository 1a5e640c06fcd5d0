/** Finds out who calls the API: the application's bot, or somebody with an access token. */
import type { Provider } from 'oidc-provider'
import { sameSecret } from '../foundation/secrets.js'
import type { EmulatorContext } from '../context/context.js'
import { findBearer, type Bearer } from './bearer.js'

export interface BotCaller {
  kind: 'bot'
  applicationId: string
}

/** Why nobody was recognised, in the words of the `X-Emulator-Rule` header. */
export interface UnknownCaller {
  kind: 'stranger'
  rule: string
}

export type Authenticate = (authorization: string | undefined) => Promise<BotCaller | Bearer | UnknownCaller>

export function createAuthenticate(context: EmulatorContext, provider: Provider): Authenticate {
  return async (authorization) => {
    const [scheme, value = '', ...rest] = (authorization ?? '').split(' ')
    if (rest.length > 0 || value === '' || (scheme !== 'Bot' && scheme !== 'Bearer'))
      return { kind: 'stranger', rule: 'the Authorization header is neither "Bearer <access token>" nor "Bot <bot token>"' }
    if (scheme === 'Bot') return bot(value, context)
    const bearer = await findBearer(value, context, provider)
    return typeof bearer === 'string' ? { kind: 'stranger', rule: bearer } : bearer
  }
}

function bot(value: string, { credentials, seed }: EmulatorContext): BotCaller | UnknownCaller {
  if (sameSecret(value, credentials.botToken)) return { kind: 'bot', applicationId: seed.application.id }
  return {
    kind: 'stranger',
    rule: 'the bot token is not the one of the application here; it is another one at each start without --state or --env-file',
  }
}
