/** The caller of a request, and checks of its permissions. */
import { ApiError, missingScope, unauthorized } from '../../check/api-error.js'
import { sameSecret } from '../../foundation/credentials.js'
import { printedSecret } from '../../foundation/printed-secret.js'
import { findBearer, type Bearer } from '../../service/oauth/find-bearer.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Context } from 'hono'
import type { Provider } from 'oidc-provider'

export type Caller = BotCaller | Bearer

const VARIABLE = 'caller'

/** Stores the caller of a request for its handlers, so that each request is authenticated once. */
export function setCaller(c: Context, caller: Caller | UnknownCaller): void {
  c.set(VARIABLE, caller)
}

/** The caller of a request below the root of the API; an unknown caller has no valid token. */
export function callerOf(c: Context): Caller | UnknownCaller {
  const caller: Caller | UnknownCaller = c.get(VARIABLE)
  return caller
}

const WRITE_SCOPE = 'applications.commands.update'
const PERMISSION_SCOPE = 'applications.commands.permissions.update'

/** @throws ApiError 401 */
export function requireCaller(c: Context): Caller {
  const caller = callerOf(c)
  if (caller.kind === 'unknown') throw unauthorized(caller.rule)
  return caller
}

/** @throws ApiError 401 unless the caller is the application's bot */
export function requireBot(c: Context): BotCaller {
  const caller = callerOf(c)
  if (caller.kind === 'bot') return caller
  throw unauthorized(
    caller.kind === 'unknown'
      ? caller.rule
      : 'this is for the application: the token must be "Bot <bot token>"',
  )
}

/** @throws ApiError 403 */
export function checkApplication(id: string, { seed }: EmulatorContext): void {
  if (id !== seed.application.id)
    throw new ApiError({
      status: 403,
      code: 20012,
      message: 'You are not authorized to perform this action on this application',
      rule: 'the application in the path is not the one that the token belongs to',
    })
}

/** @throws ApiError 403 */
export function checkCommandScope(
  caller: Caller,
  use: 'read' | 'write',
  { commandBehavior }: EmulatorContext,
): void {
  if (caller.kind === 'bot') return
  if (caller.kind === 'player')
    throw missingScope(
      'this endpoint takes a bot token or a client-credentials token, not the token of a player',
    )
  if ((use === 'write' || commandBehavior.readsNeedScope) && !caller.scopes.has(WRITE_SCOPE))
    throw missingScope(`the client-credentials token has no scope ${WRITE_SCOPE}`)
}

/** Permissions can be read with access to commands, or by a player who may change them. @throws ApiError 403 */
export function checkPermissionReader(caller: Caller, context: EmulatorContext): void {
  if (caller.kind === 'bot' || caller.scopes.has(PERMISSION_SCOPE)) return
  if (caller.kind === 'player') throw missingScope(`the access token has no scope ${PERMISSION_SCOPE}`)
  checkCommandScope(caller, 'read', context)
}

/** Returns the player who changes permissions. @throws ApiError 403 */
export function checkPermissionWriter(caller: Caller): Bearer {
  if (caller.kind === 'bot')
    throw new ApiError({
      status: 403,
      code: 20001,
      message: 'Bots cannot use this endpoint',
      rule: 'a bot token cannot change permissions: this endpoint takes the Bearer token of a player',
    })
  if (!caller.scopes.has(PERMISSION_SCOPE))
    throw missingScope(`the access token has no scope ${PERMISSION_SCOPE}`)
  return caller
}

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
      return {
        kind: 'unknown',
        rule: 'the Authorization header is neither "Bearer <access token>" nor "Bot <bot token>"',
      }
    if (scheme === 'Bot') return bot(value, context)
    const bearer = await findBearer(value, context, provider)
    return typeof bearer === 'string' ? { kind: 'unknown', rule: bearer } : bearer
  }
}

function bot(value: string, { credentials, seed }: EmulatorContext): BotCaller | UnknownCaller {
  if (sameSecret(value, credentials.botToken)) return { kind: 'bot', applicationId: seed.application.id }
  return {
    kind: 'unknown',
    rule:
      printedSecret(value, 'the bot token') ??
      (sameSecret(value, credentials.clientSecret)
        ? 'it is the client secret of the application: botToken(…) takes FOYER_BOT_TOKEN'
        : undefined) ??
      'the bot token is not the one of the application here; it is another one at each start without --state or --credentials',
  }
}
