/** Commands that sign the player in: AUTHORIZE and AUTHENTICATE. */
import { textOf } from '../foundation/type-guards.js'
import { splitScopes, unknownScopes } from '../model/scope.js'
import type { CommandContext } from './check-access.js'
import { ERROR_CODE, RpcError } from './rpc-messages.js'
import { authenticatedUser } from './rpc-users.js'

const CHALLENGE_FORMAT = /^[A-Za-z0-9_-]{43}$/

/** Issues an OAuth code for the player of this window after consent in the window (no redirect). */
export async function authorize(args: Record<string, unknown>, { session, rpc, context }: CommandContext): Promise<{ code: string }> {
  const { client_id: clientId, response_type: responseType = 'code', scope, prompt } = args
  if (clientId !== context.seed.application.id) throw new RpcError(ERROR_CODE.invalidClientId, 'Invalid client id')
  if (responseType !== 'code') throw new RpcError(ERROR_CODE.oauth2, 'unsupported_response_type: only code')
  const scopes = readScopes(scope)
  const challenge = readChallenge(args)
  const { player } = session.place
  const asked = prompt !== 'none' || !rpc.granted(player, scopes)
  if (asked && !(await rpc.consent(session, scopes))) throw new RpcError(ERROR_CODE.oauth2, 'access_denied: the player denied the request')
  return { code: await rpc.issueCode({ userId: player.id, scopes, challenge }) }
}

function readScopes(value: unknown): string[] {
  const given: unknown[] = Array.isArray(value) ? value : []
  const scopes = splitScopes(given.every((name) => typeof name === 'string') ? given.join(' ') : '')
  if (scopes.length === 0) throw new RpcError(ERROR_CODE.invalidPayload, 'Invalid payload: scope must be a list of scopes')
  const unknown = unknownScopes(scopes)
  if (unknown.length > 0) throw new RpcError(ERROR_CODE.oauth2, `invalid_scope: unknown scope: ${unknown.join(' ')}`)
  return scopes
}

function readChallenge({ code_challenge: challenge, code_challenge_method: method }: Record<string, unknown>): string | undefined {
  if (challenge === undefined || challenge === null) return undefined
  if (method !== 'S256') throw new RpcError(ERROR_CODE.oauth2, 'invalid_request: code_challenge_method must be S256')
  if (typeof challenge !== 'string' || !CHALLENGE_FORMAT.test(challenge))
    throw new RpcError(ERROR_CODE.oauth2, 'invalid_request: code_challenge must be 43 characters of base64url')
  return challenge
}

/** The token must belong to the player of this window: any other account would not match what the window shows. */
export async function authenticate({ access_token: token }: Record<string, unknown>, { session, rpc, context }: CommandContext) {
  const bearer = await rpc.findBearer(textOf(token) ?? '')
  if (typeof bearer === 'string') throw new RpcError(ERROR_CODE.invalidToken, `Invalid token: ${bearer}`)
  if (bearer.kind !== 'player' || bearer.player.id !== session.place.player.id)
    throw new RpcError(ERROR_CODE.invalidToken, 'Invalid token: it belongs to somebody else than the player of this window')
  session.scopes = bearer.scopes
  const { id, name } = context.seed.application
  return {
    access_token: token,
    user: authenticatedUser(bearer.player),
    scopes: [...bearer.scopes],
    expires: new Date(bearer.expires * 1000).toISOString(),
    application: { id, name, description: '', icon: null, rpc_origins: [] },
  }
}
