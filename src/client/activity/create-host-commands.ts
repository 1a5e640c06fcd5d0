/** Commands of the host window as typed methods: names, deadlines, and the fields that each response must have. */
import { requireNumber } from '../../shared/foundation/options'
import { ProtocolError } from '../../shared/foundation/errors'
import { isRecord, ownFields } from '../../shared/foundation/untrusted-values'
import type { ActivityConnection } from './activity-connection'
import type {
  HostActivity,
  HostApplication,
  HostChannel,
  HostEntitlement,
  HostParticipant,
  HostPresence,
  HostRelationship,
  HostSku,
  HostTokenUser,
  HostUser,
  OrientationLock,
} from './host-types'
import { requirePresence } from './check-presence'
import { camelFields, snakeFields } from './rename-fields'

/** Options of a command. */
export interface HostCallOptions {
  /** Time in ms until the call rejects with `timed_out`. Default: 10,000; with a dialog for the player 600,000. */
  timeout?: number | undefined
  /** Aborts the call; the host may still carry it out. */
  signal?: AbortSignal | undefined
}

/**
 * One method for each command of the host window. Names and data follow the public embedded SDK, with `camelCase` fields.
 *
 * Every method may reject with ApiError (`apiCode` is the host's code: `invalid_permissions` without scope or permission,
 * `invalid_command` for one that the host does not have), NetworkError `timed_out` or `aborted`, and ProtocolError `malformed_response`.
 */
export interface ActivityHostCommands {
  /** Asks the player for an authorization code. `signIn` does this with PKCE, and is the better choice. */
  authorize(
    args: {
      clientId: string
      scope: readonly string[]
      responseType?: 'code' | undefined
      codeChallenge?: string | undefined
      codeChallengeMethod?: 'S256' | undefined
      state?: string | undefined
      prompt?: 'none' | undefined
    },
    options?: HostCallOptions,
  ): Promise<{ code: string }>
  /** Gives the host an access token, which commands with scopes need. `setPresence` and `signIn` do this. */
  authenticate(
    args: { accessToken?: string | null | undefined },
    options?: HostCallOptions,
  ): Promise<{
    accessToken: string
    user: HostTokenUser
    /** Granted scopes. A scope that the host does not know is -1. */
    scopes: readonly (string | number)[]
    /** End of the token (ISO 8601). */
    expires: string
    application: HostApplication
  }>
  /** Sends a line to the host's log. */
  captureLog(
    args: { level: 'log' | 'warn' | 'debug' | 'info' | 'error'; message: string },
    options?: HostCallOptions,
  ): Promise<void>
  /** Proposes hardware acceleration if it is off. */
  encourageHardwareAcceleration(args?: object, options?: HostCallOptions): Promise<{ enabled: boolean }>
  /** Reads a channel. Scope `guilds`. */
  getChannel(args: { channelId: string }, options?: HostCallOptions): Promise<HostChannel>
  /** Permissions of the player in the channel of the launch, as a decimal string of bits. Scope `guilds.members.read`. */
  getChannelPermissions(args?: object, options?: HostCallOptions): Promise<{ permissions: string }>
  /** Purchases of the player. */
  getEntitlements(
    args?: object,
    options?: HostCallOptions,
  ): Promise<{ entitlements: readonly HostEntitlement[] }>
  /** Differences between platforms. */
  getPlatformBehaviors(
    args?: object,
    options?: HostCallOptions,
  ): Promise<{ iosKeyboardResizesView?: boolean }>
  /** Quest of the application. */
  getQuest(
    args?: { questId?: string | undefined },
    options?: HostCallOptions,
  ): Promise<{
    questId: string
    externalCtaUrl: string
    /** Times of the player's enrollment and of its end (ISO 8601), or null. */
    enrolledAt?: string | null
    completedAt?: string | null
  }>
  /** Enrollment of the player in a quest. */
  getQuestEnrollmentStatus(
    args: { questId: string },
    options?: HostCallOptions,
  ): Promise<{ questId: string; isEnrolled: boolean; enrolledAt?: string | null }>
  /** Friends, requests and blocked users, with presence. Scope `relationships.read`. */
  getRelationships(
    args?: object,
    options?: HostCallOptions,
  ): Promise<{ relationships: readonly HostRelationship[] }>
  /** Products of the application. */
  getSkus(args?: object, options?: HostCallOptions): Promise<{ skus: readonly HostSku[] }>
  /** A user, or null. */
  getUser(args: { id: string }, options?: HostCallOptions): Promise<HostUser | null>
  /** Lets the player upload an image. Rejects if they cancel. */
  initiateImageUpload(args?: object, options?: HostCallOptions): Promise<{ imageUrl: string }>
  /** Invites a friend into this instance. Scope `relationships.read` (assumed). */
  inviteUserEmbedded(
    args: { userId: string; content?: string | undefined },
    options?: HostCallOptions,
  ): Promise<void>
  /** Asks the player, and opens a web page outside the Activity. */
  openExternalLink(args: { url: string }, options?: HostCallOptions): Promise<{ opened: boolean | null }>
  /** Shows friends to invite. `invalid_channel` in direct messages, `invalid_permissions` without CREATE_INSTANT_INVITE. */
  openInviteDialog(args?: object, options?: HostCallOptions): Promise<void>
  /** Shows channels to share an image of the service's file host in. */
  openShareMomentDialog(args: { mediaUrl: string }, options?: HostCallOptions): Promise<void>
  /** Starts the timer of a quest. */
  questStartTimer(args: { questId: string }, options?: HostCallOptions): Promise<{ success: boolean }>
  /** A new ticket for the Activity proxy. */
  requestProxyTicketRefresh(args?: object, options?: HostCallOptions): Promise<{ ticket: string }>
  /** Sets the rich presence. Scope `rpc.activities.write`. `setPresence` authenticates and follows a lobby. */
  setActivity(
    args: { activity: HostPresence | null },
    options?: HostCallOptions,
  ): Promise<HostActivity | null>
  /** Desktop: whether the small window reacts to the mouse. */
  setConfig(
    args: { useInteractivePip: boolean },
    options?: HostCallOptions,
  ): Promise<{ useInteractivePip: boolean }>
  /** Mobile: locks the orientation. */
  setOrientationLockState(
    args: {
      lockState: OrientationLock
      pictureInPictureLockState?: OrientationLock | undefined
      gridLockState?: OrientationLock | undefined
    },
    options?: HostCallOptions,
  ): Promise<void>
  /** Lets the player share the result of a command. */
  shareInteraction(
    args: {
      command: string
      options?: readonly { name: string; value: string }[] | undefined
      content?: string | undefined
      requireLaunchChannel?: boolean | undefined
      /** Picture that the dialog shows. */
      previewImage?: { url: string; width: number; height: number } | undefined
      /** Rows of buttons below the message. */
      components?:
        | readonly {
            type: 1
            components?:
              | readonly {
                  type: 2
                  style: number
                  label?: string | undefined
                  customId?: string | undefined
                }[]
              | undefined
          }[]
        | undefined
      /** Process of a desktop game. */
      pid?: number | undefined
    },
    options?: HostCallOptions,
  ): Promise<{ success: boolean }>
  /** Lets the player share a link into the Activity; the `customId` reaches the launched game. */
  shareLink(
    args: { message: string; customId?: string | undefined; linkId?: string | undefined },
    options?: HostCallOptions,
  ): Promise<{ success: boolean; didCopyLink: boolean; didSendMessage: boolean }>
  /** Desktop: lets the player buy a product. */
  startPurchase(
    args: { skuId: string; /** Process of a desktop game. */ pid?: number | undefined },
    options?: HostCallOptions,
  ): Promise<readonly HostEntitlement[] | null>
  /** Language of the player. Scope `identify`. */
  userSettingsGetLocale(args?: object, options?: HostCallOptions): Promise<{ locale: string }>
  /** Players whose game is connected. */
  getActivityInstanceConnectedParticipants(
    args?: object,
    options?: HostCallOptions,
  ): Promise<{ participants: readonly HostParticipant[] }>
}

/** Time-out in ms of commands that show the player a dialog. */
const DIALOG = 600_000

/** Names of commands that do not follow from the method, or that wait for the player. `fields`: required in the response. */
const COMMANDS: {
  readonly [Method in keyof ActivityHostCommands]: { cmd?: string; dialog?: true; fields?: string }
} = {
  authorize: { dialog: true, fields: 'code' },
  authenticate: { fields: 'user scopes expires' },
  captureLog: {},
  encourageHardwareAcceleration: { cmd: 'ENCOURAGE_HW_ACCELERATION', fields: 'enabled' },
  getChannel: { fields: 'id type voiceStates' },
  getChannelPermissions: { fields: 'permissions' },
  getEntitlements: { cmd: 'GET_ENTITLEMENTS_EMBEDDED', fields: 'entitlements' },
  getPlatformBehaviors: { fields: '' },
  getQuest: { fields: 'questId' },
  getQuestEnrollmentStatus: { fields: 'questId isEnrolled' },
  getRelationships: { fields: 'relationships' },
  getSkus: { cmd: 'GET_SKUS_EMBEDDED', fields: 'skus' },
  getUser: {},
  initiateImageUpload: { dialog: true, fields: 'imageUrl' },
  inviteUserEmbedded: {},
  openExternalLink: { dialog: true, fields: 'opened' },
  openInviteDialog: {},
  openShareMomentDialog: {},
  questStartTimer: { fields: 'success' },
  requestProxyTicketRefresh: { fields: 'ticket' },
  setActivity: {},
  setConfig: { fields: 'useInteractivePip' },
  setOrientationLockState: {},
  shareInteraction: { dialog: true, fields: 'success' },
  shareLink: { dialog: true, fields: 'success' },
  startPurchase: { dialog: true },
  userSettingsGetLocale: { fields: 'locale' },
  getActivityInstanceConnectedParticipants: { fields: 'participants' },
}

/** Creates the methods of a connection. */
export function createHostCommands(connection: ActivityConnection): ActivityHostCommands {
  const methods = Object.entries(COMMANDS).map(([method, { cmd = commandOf(method), dialog, fields }]) => {
    const call = async (args: object = {}, options?: HostCallOptions) => {
      const { timeout = dialog ? DIALOG : undefined, signal } = ownFields({ ...options })
      requireNumber(timeout, 'timeout', { kind: 'ms', min: 1, example: '10_000' })
      if (cmd === 'SET_ACTIVITY') requirePresence(Reflect.get(args, 'activity') ?? null)
      // The one argument that the protocol itself writes in camel case.
      const given = cmd === 'OPEN_SHARE_MOMENT_DIALOG' ? args : snakeFields(args)
      const data = camelFields(
        await connection.command(cmd, given, { signal, ...(timeout !== undefined && { timeout }) }),
      )
      return requireFields(cmd, data, fields)
    }
    return [method, call] as const
  })
  // oxlint-disable-next-line no-unsafe-type-assertion -- the table has exactly the methods of the interface
  return Object.fromEntries(methods) as unknown as ActivityHostCommands
}

/** `getChannel` is `GET_CHANNEL`. */
const commandOf = (method: string): string => method.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

/** Without `fields`, the response may be null. @throws ProtocolError `malformed_response`. */
function requireFields(cmd: string, data: unknown, fields?: string): unknown {
  if (fields === undefined) return data
  const missing = isRecord(data)
    ? fields.split(' ').find((name) => name !== '' && data[name] === undefined)
    : fields
  if (missing !== undefined)
    throw new ProtocolError('malformed_response', `activity ${cmd}`, { path: missing })
  return data
}
