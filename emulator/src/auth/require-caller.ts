/** Who calls a command endpoint, and what the token lets them do. */
import type { Context } from 'hono'
import type { Authenticate, BotCaller } from './authenticate.js'
import type { Bearer } from './bearer.js'
import type { EmulatorContext } from '../context/context.js'
import { missingScope, ApiError, unauthorized } from '../api/api-error.js'

export type Caller = BotCaller | Bearer

const writeScope = 'applications.commands.update'
const permissionScope = 'applications.commands.permissions.update'

/** @throws Refusal 401 */
export async function requireCaller(c: Context, authenticate: Authenticate): Promise<Caller> {
  const caller = await authenticate(c.req.header('authorization'))
  if (caller.kind === 'stranger') throw unauthorized(caller.rule)
  return caller
}

/** @throws Refusal 403 */
export function checkApplication(id: string, { seed }: EmulatorContext): void {
  if (id !== seed.application.id)
    throw new ApiError({
      status: 403,
      code: 20012,
      message: 'You are not authorized to perform this action on this application',
      rule: 'the application in the path is not the one that the token belongs to',
    })
}

/** @throws Refusal 403 */
export function checkCommandScope(caller: Caller, use: 'read' | 'write', { commandBehavior }: EmulatorContext): void {
  if (caller.kind === 'bot') return
  if (caller.kind === 'player')
    throw missingScope('this endpoint takes a bot token or a client-credentials token, not the token of a player')
  if ((use === 'write' || commandBehavior.readsNeedScope) && !caller.scopes.has(writeScope))
    throw missingScope(`the client-credentials token has no scope ${writeScope}`)
}

/** Permissions may be read by whoever may read commands, and by a player who may change them. */
export function checkPermissionReader(caller: Caller, context: EmulatorContext): void {
  if (caller.kind === 'bot' || caller.scopes.has(permissionScope)) return
  if (caller.kind === 'player') throw missingScope(`the access token has no scope ${permissionScope}`)
  checkCommandScope(caller, 'read', context)
}

/** The player who changes permissions. @throws Refusal 403 */
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
