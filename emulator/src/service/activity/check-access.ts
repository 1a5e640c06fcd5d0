/** Conditions of a command or an event: scopes, authentication and platforms, and readers for its arguments. */
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { AuthorizedFrame, Platform, RpcContext } from './rpc-context.js'
import { ERROR_CODE, RpcError } from './rpc-messages.js'

export interface CommandContext {
  session: AuthorizedFrame
  rpc: RpcContext
  context: EmulatorContext
}

export type Run = (args: Record<string, unknown>, command: CommandContext) => unknown

export interface AccessRule {
  /** Scopes that the game's access token must have. */
  scopes?: readonly string[]
  /** True if AUTHENTICATE must come first, without any particular scope. */
  authenticated?: true
  /** Platforms that have it. Default: all. */
  platforms?: readonly Platform[]
}

/** @throws RpcError 4006 without authentication or scope, 4002 on another platform. */
export function checkAccess(
  name: string,
  { scopes = [], authenticated, platforms }: AccessRule,
  { scopes: granted, place }: AuthorizedFrame,
): void {
  if (platforms?.includes(place.platform) === false)
    throw new RpcError(
      ERROR_CODE.invalidCommand,
      `Invalid command: ${name} is not available on the platform ${place.platform}`,
    )
  const missing = scopes.filter((scope) => !granted.has(scope))
  if (missing.length > 0)
    throw new RpcError(
      ERROR_CODE.invalidPermissions,
      `Invalid permissions: not authenticated, or scope ${missing.join(' ')} is missing`,
    )
  if (authenticated && granted.size === 0)
    throw new RpcError(ERROR_CODE.invalidPermissions, `Invalid permissions: ${name} needs AUTHENTICATE first`)
}

export function invalidPayload(rule: string): RpcError {
  return new RpcError(ERROR_CODE.invalidPayload, `Invalid payload: ${rule}`)
}

/** A required text. @throws RpcError 4000. */
export function requireText(args: Record<string, unknown>, name: string, max = 1024): string {
  const value = args[name]
  if (typeof value !== 'string' || value.length > max)
    throw invalidPayload(`${name} must be a text of at most ${max} characters`)
  return value
}

/** An optional text. @throws RpcError 4000. */
export function optionalText(args: Record<string, unknown>, name: string, max = 1024): string | undefined {
  return args[name] === undefined || args[name] === null ? undefined : requireText(args, name, max)
}
