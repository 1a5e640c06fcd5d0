/** The caller of a request, and checks of its permissions. */
import type { Context } from 'hono'
import type { BotCaller, UnknownCaller } from './authenticate.js'
import type { Bearer } from './find-bearer.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import { missingScope, ApiError, unauthorized } from '../api/api-error.js'

export type Caller = BotCaller | Bearer

const variable = 'caller'

/** Stores the caller of a request for its handlers, so that each request is authenticated once. */
export function setCaller(c: Context, caller: Caller | UnknownCaller): void {
  c.set(variable, caller)
}

/** The caller of a request below the root of the API; an unknown caller has no valid token. */
export function callerOf(c: Context): Caller | UnknownCaller {
  const caller: Caller | UnknownCaller = c.get(variable)
  return caller
}

const writeScope = 'applications.commands.update'
const permissionScope = 'applications.commands.permissions.update'

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
  throw unauthorized(caller.kind === 'unknown' ? caller.rule : 'this is for the application: the token must be "Bot <bot token>"')
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
export function checkCommandScope(caller: Caller, use: 'read' | 'write', { commandBehavior }: EmulatorContext): void {
  if (caller.kind === 'bot') return
  if (caller.kind === 'player')
    throw missingScope('this endpoint takes a bot token or a client-credentials token, not the token of a player')
  if ((use === 'write' || commandBehavior.readsNeedScope) && !caller.scopes.has(writeScope))
    throw missingScope(`the client-credentials token has no scope ${writeScope}`)
}

/** Permissions can be read with access to commands, or by a player who may change them. @throws ApiError 403 */
export function checkPermissionReader(caller: Caller, context: EmulatorContext): void {
  if (caller.kind === 'bot' || caller.scopes.has(permissionScope)) return
  if (caller.kind === 'player') throw missingScope(`the access token has no scope ${permissionScope}`)
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
  if (!caller.scopes.has(permissionScope)) throw missingScope(`the access token has no scope ${permissionScope}`)
  return caller
}
