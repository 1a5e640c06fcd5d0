/** Events of the embedded protocol: their conditions, and the subscriptions of one game. */
import { findVisibleChannel } from '../guilds/visible-channels.js'
import { memberOf } from '../guilds/member-permissions.js'
import { checkAccess, requireText, type AccessRule, type CommandContext } from './check-access.js'
import { ERROR_CODE, RpcError, type Command } from './rpc-messages.js'

interface EventRule extends AccessRule {
  /** Argument that a subscription needs. */
  needs?: 'channel_id' | 'guild_id'
}

const VOICE = { scopes: ['rpc.voice.read'] }

const EVENTS: Record<string, EventRule | undefined> = {
  ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE: {},
  ACTIVITY_JOIN: {},
  ACTIVITY_LAYOUT_MODE_UPDATE: {},
  CURRENT_GUILD_MEMBER_UPDATE: { scopes: ['identify', 'guilds.members.read'], needs: 'guild_id' },
  CURRENT_USER_UPDATE: { scopes: ['identify'] },
  ENTITLEMENT_CREATE: {},
  ORIENTATION_UPDATE: {},
  QUEST_ENROLLMENT_STATUS_UPDATE: {},
  RELATIONSHIP_UPDATE: { scopes: ['relationships.read'] },
  SPEAKING_START: VOICE,
  SPEAKING_STOP: VOICE,
  THERMAL_STATE_UPDATE: {},
  VOICE_STATE_UPDATE: { ...VOICE, needs: 'channel_id' },
}

export class Subscriptions {
  readonly #args = new Map<string, Record<string, unknown>[]>()

  /** @throws RpcError 4004 for an unknown event, 4006 without its scopes, 4000, 4003 or 4005 for its arguments. */
  change({ cmd, evt, args }: Command, command: CommandContext): { evt: string } {
    const rule = evt !== undefined && Object.hasOwn(EVENTS, evt) ? EVENTS[evt] : undefined
    if (evt === undefined || rule === undefined)
      throw new RpcError(ERROR_CODE.invalidEvent, `Invalid event: ${evt ?? '(none)'}`)
    if (cmd === 'UNSUBSCRIBE') this.#remove(evt, args)
    else {
      checkAccess(evt, rule, command.session)
      checkArgument(rule, args, command)
      this.#args.set(evt, [...(this.#args.get(evt) ?? []), args])
    }
    return { evt }
  }

  /** Without arguments, all subscriptions of the event end. */
  #remove(event: string, args: Record<string, unknown>): void {
    const ended = JSON.stringify(args)
    const kept = (this.#args.get(event) ?? []).filter(
      (given) => ended !== '{}' && JSON.stringify(given) !== ended,
    )
    if (kept.length > 0) this.#args.set(event, kept)
    else this.#args.delete(event)
  }

  /** True if a subscription fits. `about`: the values with which its arguments must agree. */
  fits(event: string, about: Record<string, string>): boolean {
    const agrees = (args: Record<string, unknown>) =>
      Object.entries(about).every(([name, value]) => (args[name] ?? value) === value)
    return this.#args.get(event)?.some(agrees) === true
  }

  clear(): void {
    this.#args.clear()
  }
}

function checkArgument(
  { needs }: EventRule,
  args: Record<string, unknown>,
  { session, context }: CommandContext,
): void {
  if (needs === undefined) return
  const id = requireText(args, needs, 64)
  const { player } = session.place
  if (needs === 'channel_id' && findVisibleChannel(id, player, context) === undefined)
    throw new RpcError(ERROR_CODE.invalidChannel, 'Invalid channel: the player sees no such channel')
  const isMember = context.seed.guilds.some(
    (guild) => guild.id === id && memberOf(guild, player.id) !== undefined,
  )
  if (needs === 'guild_id' && !isMember)
    throw new RpcError(ERROR_CODE.invalidGuild, 'Invalid guild: the player is no member')
}
