/** RPC commands that a game may send to the host window, with the conditions of the public documentation. */
import * as device from './device-commands.js'
import * as share from './share-commands.js'
import * as social from './relationship-commands.js'
import { textOf } from '../../foundation/values.js'
import { splitScopes, unknownScopes } from '../../model/scope.js'
import { getChannel, getChannelPermissions } from './channel-commands.js'
import { checkAccess, requireText, type AccessRule, type CommandContext, type Run } from './check-access.js'
import { authenticatedUser } from './rpc-context.js'
import { ERROR_CODE, RpcError } from './rpc-messages.js'

interface CommandRule extends AccessRule {
  run: Run
}

const DESKTOP = ['desktop'] as const
const MOBILE = ['mobile'] as const

const commands: Record<string, CommandRule | undefined> = {
  AUTHORIZE: { run: authorize },
  AUTHENTICATE: { run: authenticate },
  CAPTURE_LOG: { run: () => null },
  ENCOURAGE_HW_ACCELERATION: { run: device.encourageHardwareAcceleration },
  GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS: {
    run: (_args, { session, rpc }) => ({ participants: rpc.participants(session.place.instance) }),
  },
  GET_CHANNEL: { scopes: ['guilds'], run: getChannel },
  GET_CHANNEL_PERMISSIONS: { scopes: ['guilds.members.read'], run: getChannelPermissions },
  GET_ENTITLEMENTS_EMBEDDED: {
    run: (_args, { session, rpc }) => ({
      entitlements: rpc.stores.purchases.entitlements(session.place.player.id),
    }),
  },
  GET_PLATFORM_BEHAVIORS: {
    run: (_args, { session }) => ({ iosKeyboardResizesView: session.place.platform === 'mobile' }),
  },
  GET_QUEST: { run: device.getQuest },
  GET_QUEST_ENROLLMENT_STATUS: {
    run: (args, { session, rpc }) =>
      rpc.stores.quests.status(session.place.player.id, requireText(args, 'quest_id', 64)),
  },
  GET_RELATIONSHIPS: { scopes: ['relationships.read'], run: social.getRelationships },
  GET_SKUS_EMBEDDED: { run: (_args, { rpc }) => ({ skus: rpc.stores.purchases.skus() }) },
  GET_USER: { authenticated: true, run: social.getUser },
  INITIATE_IMAGE_UPLOAD: { run: share.initiateImageUpload },
  INVITE_USER_EMBEDDED: { scopes: ['relationships.read'], run: social.inviteUserEmbedded },
  OPEN_EXTERNAL_LINK: { run: share.openExternalLink },
  OPEN_INVITE_DIALOG: { run: social.openInviteDialog },
  OPEN_SHARE_MOMENT_DIALOG: { authenticated: true, platforms: DESKTOP, run: share.openShareMomentDialog },
  QUEST_START_TIMER: {
    run: (args, { session, rpc }) => ({
      success: rpc.stores.quests.startTimer(session.place.player.id, requireText(args, 'quest_id', 64)),
    }),
  },
  REQUEST_PROXY_TICKET_REFRESH: { run: device.requestProxyTicketRefresh },
  SET_ACTIVITY: { scopes: ['rpc.activities.write'], run: social.setActivity },
  SET_CONFIG: { platforms: DESKTOP, run: device.setConfig },
  SET_ORIENTATION_LOCK_STATE: { platforms: MOBILE, run: device.setOrientationLockState },
  SHARE_INTERACTION: { run: share.shareInteraction },
  SHARE_LINK: { run: share.shareLink },
  START_PURCHASE: { platforms: DESKTOP, run: device.startPurchase },
  USER_SETTINGS_GET_LOCALE: {
    scopes: ['identify'],
    run: (_args, { session }) => ({ locale: session.place.player.locale }),
  },
}

/** Commands of the protocol that the service's own client offers to other programs, not to Activities. */
const FORBIDDEN = new Set([
  'CAPTURE_SHORTCUT',
  'GET_CHANNELS',
  'GET_ENTITLEMENTS',
  'GET_GUILD',
  'GET_GUILDS',
  'GET_SKUS',
  'SELECT_TEXT_CHANNEL',
  'SELECT_VOICE_CHANNEL',
  'SEND_ANALYTICS_EVENT',
  'SET_CERTIFIED_DEVICES',
])

/** Runs a command. @throws RpcError 4002 for an unknown one, 4006 for one that is not allowed. */
export function runCommand(
  { cmd, args }: { cmd: string; args: Record<string, unknown> },
  context: CommandContext,
): unknown {
  const rule = Object.hasOwn(commands, cmd) ? commands[cmd] : undefined
  if (rule === undefined && FORBIDDEN.has(cmd))
    throw new RpcError(ERROR_CODE.invalidPermissions, `Invalid permissions: ${cmd} is not for Activities`)
  if (rule === undefined) throw new RpcError(ERROR_CODE.invalidCommand, `Invalid command: there is no ${cmd}`)
  checkAccess(cmd, rule, context.session)
  return rule.run(args, context)
}

const CHALLENGE_FORMAT = /^[A-Za-z0-9_-]{43}$/

/** Issues an OAuth code for the player of this window after consent in the window (no redirect). */
async function authorize(
  args: Record<string, unknown>,
  { session, rpc, context }: CommandContext,
): Promise<{ code: string }> {
  const { client_id: clientId, response_type: responseType = 'code', scope, prompt } = args
  if (clientId !== context.seed.application.id)
    throw new RpcError(ERROR_CODE.invalidClientId, 'Invalid client id')
  if (responseType !== 'code') throw new RpcError(ERROR_CODE.oauth2, 'unsupported_response_type: only code')
  const scopes = readScopes(scope)
  const challenge = readChallenge(args)
  const { player } = session.place
  const asked = prompt !== 'none' || !rpc.granted(player, scopes)
  if (asked && !(await rpc.consent(session, scopes)))
    throw new RpcError(ERROR_CODE.oauth2, 'access_denied: the player denied the request')
  return { code: await rpc.issueCode({ userId: player.id, scopes, challenge }) }
}

function readScopes(value: unknown): string[] {
  const given: unknown[] = Array.isArray(value) ? value : []
  const scopes = splitScopes(given.every((name) => typeof name === 'string') ? given.join(' ') : '')
  if (scopes.length === 0)
    throw new RpcError(ERROR_CODE.invalidPayload, 'Invalid payload: scope must be a list of scopes')
  const unknown = unknownScopes(scopes)
  if (unknown.length > 0)
    throw new RpcError(ERROR_CODE.oauth2, `invalid_scope: unknown scope: ${unknown.join(' ')}`)
  return scopes
}

function readChallenge({
  code_challenge: challenge,
  code_challenge_method: method,
}: Record<string, unknown>): string | undefined {
  if (challenge === undefined || challenge === null) return undefined
  if (method !== 'S256')
    throw new RpcError(ERROR_CODE.oauth2, 'invalid_request: code_challenge_method must be S256')
  if (typeof challenge !== 'string' || !CHALLENGE_FORMAT.test(challenge))
    throw new RpcError(
      ERROR_CODE.oauth2,
      'invalid_request: code_challenge must be 43 characters of base64url',
    )
  return challenge
}

/** The token must belong to the player of this window: any other account would not match what the window shows. */
async function authenticate(
  { access_token: token }: Record<string, unknown>,
  { session, rpc, context }: CommandContext,
) {
  const bearer = await rpc.findBearer(textOf(token) ?? '')
  if (typeof bearer === 'string') throw new RpcError(ERROR_CODE.invalidToken, `Invalid token: ${bearer}`)
  if (bearer.kind !== 'player' || bearer.player.id !== session.place.player.id)
    throw new RpcError(
      ERROR_CODE.invalidToken,
      'Invalid token: it belongs to somebody else than the player of this window',
    )
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
