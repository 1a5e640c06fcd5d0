/** RPC commands that a game may send to the host window, with the conditions of the public documentation. */
import { getChannel, getChannelPermissions } from './channel-commands.js'
import { checkAccess, requireText, type AccessRule, type CommandContext, type Run } from './check-access.js'
import * as device from './device-commands.js'
import { ERROR_CODE, RpcError } from './rpc-messages.js'
import * as share from './share-commands.js'
import { authenticate, authorize } from './sign-in-commands.js'
import * as social from './relationship-commands.js'

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
    run: (_args, { session, rpc }) => ({ entitlements: rpc.stores.purchases.entitlements(session.place.player.id) }),
  },
  GET_PLATFORM_BEHAVIORS: { run: (_args, { session }) => ({ iosKeyboardResizesView: session.place.platform === 'mobile' }) },
  GET_QUEST: { run: device.getQuest },
  GET_QUEST_ENROLLMENT_STATUS: {
    run: (args, { session, rpc }) => rpc.stores.quests.status(session.place.player.id, requireText(args, 'quest_id', 64)),
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
  USER_SETTINGS_GET_LOCALE: { scopes: ['identify'], run: (_args, { session }) => ({ locale: session.place.player.locale }) },
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
export function runCommand({ cmd, args }: { cmd: string; args: Record<string, unknown> }, context: CommandContext): unknown {
  const rule = Object.hasOwn(commands, cmd) ? commands[cmd] : undefined
  if (rule === undefined && FORBIDDEN.has(cmd))
    throw new RpcError(ERROR_CODE.invalidPermissions, `Invalid permissions: ${cmd} is not for Activities`)
  if (rule === undefined) throw new RpcError(ERROR_CODE.invalidCommand, `Invalid command: there is no ${cmd}`)
  checkAccess(cmd, rule, context.session)
  return rule.run(args, context)
}
