/** RPC commands that a game may send to the host window, and known ones without support. */
import { textOf } from '../foundation/type-guards.js'
import { splitScopes, unknownScopes } from '../model/scopes.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import { errorCode, RpcError } from './rpc-messages.js'
import type { RpcContext, AuthorizedFrame } from './rpc-context.js'
import { authenticatedUser } from './rpc-users.js'

interface CommandContext {
  session: AuthorizedFrame
  rpc: RpcContext
  context: EmulatorContext
}

type Run = (args: Record<string, unknown>, command: CommandContext) => unknown

const challengeFormat = /^[A-Za-z0-9_-]{43}$/

export const commands: Record<string, Run | undefined> = {
  AUTHORIZE: authorize,
  AUTHENTICATE: authenticate,
  GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: (_args, { session, rpc }) => ({ participants: rpc.participants(session.place.instance) }),
  USER_SETTINGS_GET_LOCALE: (_args, { session }) => {
    if (!session.scopes.has('identify')) throw new RpcError(errorCode.invalidPermissions, 'Invalid permissions: scope identify is missing')
    return { locale: session.place.player.locale }
  },
  CAPTURE_LOG: () => null,
}

/** `sent` are those that the emulator sends to subscribers; `known` are all events of the protocol. */
export const events = {
  sent: new Set(['ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', 'ACTIVITY_JOIN']),
  known: new Set([
    'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE',
    'ACTIVITY_JOIN',
    'ACTIVITY_LAYOUT_MODE_UPDATE',
    'CURRENT_GUILD_MEMBER_UPDATE',
    'CURRENT_USER_UPDATE',
    'ENTITLEMENT_CREATE',
    'ORIENTATION_UPDATE',
    'QUEST_ENROLLMENT_STATUS_UPDATE',
    'RELATIONSHIP_UPDATE',
    'SPEAKING_START',
    'SPEAKING_STOP',
    'THERMAL_STATE_UPDATE',
    'VOICE_STATE_UPDATE',
  ]),
} as const

const others = new Set([
  'ENCOURAGE_HW_ACCELERATION',
  'GET_CHANNEL',
  'GET_CHANNEL_PERMISSIONS',
  'GET_PLATFORM_BEHAVIORS',
  'GET_RELATIONSHIPS',
  'GET_USER',
  'INITIATE_IMAGE_UPLOAD',
  'INVITE_USER_EMBEDDED',
  'OPEN_EXTERNAL_LINK',
  'OPEN_INVITE_DIALOG',
  'OPEN_SHARE_MOMENT_DIALOG',
  'REQUEST_PROXY_TICKET_REFRESH',
  'SET_ACTIVITY',
  'SET_CONFIG',
  'SET_ORIENTATION_LOCK_STATE',
  'SHARE_INTERACTION',
  'SHARE_LINK',
  'START_PURCHASE',
])

export function isKnown(command: string): boolean {
  return others.has(command)
}

export function unsupported(name: string): RpcError {
  return new RpcError(errorCode.invalidCommand, `NOT SUPPORTED by the emulator: ${name}`)
}

/** Issues an OAuth code for the player of this window after consent in the window (no redirect). */
async function authorize(args: Record<string, unknown>, { session, rpc, context }: CommandContext): Promise<{ code: string }> {
  const { client_id: clientId, response_type: responseType = 'code', scope, prompt } = args
  if (clientId !== context.seed.application.id) throw new RpcError(errorCode.invalidClientId, 'Invalid client id')
  if (responseType !== 'code') throw new RpcError(errorCode.oauth2, 'unsupported_response_type: only code')
  const scopes = readScopes(scope)
  const challenge = readChallenge(args)
  const { player } = session.place
  const asked = prompt !== 'none' || !rpc.granted(player, scopes)
  if (asked && !(await rpc.consent(session, scopes))) throw new RpcError(errorCode.oauth2, 'access_denied: the player denied the request')
  return { code: await rpc.issueCode({ userId: player.id, scopes, challenge }) }
}

function readScopes(value: unknown): string[] {
  const given: unknown[] = Array.isArray(value) ? value : []
  const scopes = splitScopes(given.every((name) => typeof name === 'string') ? given.join(' ') : '')
  if (scopes.length === 0) throw new RpcError(errorCode.invalidPayload, 'Invalid payload: scope must be a list of scopes')
  const unknown = unknownScopes(scopes)
  if (unknown.length > 0) throw new RpcError(errorCode.oauth2, `invalid_scope: unknown scope: ${unknown.join(' ')}`)
  return scopes
}

function readChallenge({ code_challenge: challenge, code_challenge_method: method }: Record<string, unknown>): string | undefined {
  if (challenge === undefined || challenge === null) return undefined
  if (method !== 'S256') throw new RpcError(errorCode.oauth2, 'invalid_request: code_challenge_method must be S256')
  if (typeof challenge !== 'string' || !challengeFormat.test(challenge))
    throw new RpcError(errorCode.oauth2, 'invalid_request: code_challenge must be 43 characters of base64url')
  return challenge
}

/** The token must belong to the player of this window: any other account would not match what the window shows. */
async function authenticate({ access_token: token }: Record<string, unknown>, { session, rpc, context }: CommandContext) {
  const bearer = await rpc.findBearer(textOf(token) ?? '')
  if (typeof bearer === 'string') throw new RpcError(errorCode.invalidToken, `Invalid token: ${bearer}`)
  if (bearer.kind !== 'player' || bearer.player.id !== session.place.player.id)
    throw new RpcError(errorCode.invalidToken, 'Invalid token: it belongs to somebody else than the player of this window')
  session.scopes = bearer.scopes
  const { id, name } = context.seed.application
  return {
    access_token: token,
    user: authenticatedUser(bearer.player, context.url),
    scopes: [...bearer.scopes],
    expires: new Date(bearer.expires * 1000).toISOString(),
    application: { id, name, description: '', icon: null, rpc_origins: [] },
  }
}
