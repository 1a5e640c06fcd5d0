/** Authenticates callers of the API: the application's bot, or the holder of an access token. */
import type { Provider } from 'oidc-provider'
import { sameSecret } from '../foundation/credentials.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import { findBearer, type Bearer } from './find-bearer.js'

export interface BotCaller {
  kind: 'bot'
  applicationId: string
}

/** Reason for the failed authentication, for the `X-Emulator-Rule` header. */
export interface UnknownCaller {
  kind: 'unknown'
  rule: string
}

export type Authenticate = (authorization: string | undefined) => Promise<BotCaller | Bearer | UnknownCaller>

export function createAuthenticate(context: EmulatorContext, provider: Provider): Authenticate {
  return async (authorization) => {
    const [scheme, value = '', ...rest] = (authorization ?? '').split(' ')
    if (rest.length > 0 || value === '' || (scheme !== 'Bot' && scheme !== 'Bearer'))
      return { kind: 'unknown', rule: 'the Authorization header is neither "Bearer <access token>" nor "Bot <bot token>"' }
    if (scheme === 'Bot') return bot(value, context)
    const bearer = await findBearer(value, context, provider)
    return typeof bearer === 'string' ? { kind: 'unknown', rule: bearer } : bearer
  }
}

function bot(value: string, { credentials, seed }: EmulatorContext): BotCaller | UnknownCaller {
  if (sameSecret(value, credentials.botToken)) return { kind: 'bot', applicationId: seed.application.id }
  return {
    kind: 'unknown',
    rule: 'the bot token is not the one of the application here; it is another one at each start without --state or --env-file',
  }
}
