/** Payloads that only the gateway has: READY, guilds and lists of members. */
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Channel, Guild } from '../../state/seed/seed.js'
import { channelsOf } from '../guilds/guild-channel-payload.js'
import { isThread } from '../guilds/member-permissions.js'
import { applicationFlags } from '../guilds/application-flags.js'
import { botPayload, plainMember, rolePayload, userPayload } from '../guilds/user-payload.js'
import type { MemberRequest } from './decide-answer.js'
import type { GatewaySession } from './gateway-session.js'

type Payload = Record<string, unknown>

const JOINED_AT = '2024-01-15T12:00:00.000000+00:00'
/** Members that one answer lists. */
const CHUNK = 1000

export function readyPayload(
  { id }: GatewaySession,
  { url, guilds }: { url: string; guilds: readonly Guild[] },
  context: EmulatorContext,
): Payload {
  const { application } = context.seed
  return {
    v: 10,
    user: { ...botPayload(context), verified: true, mfa_enabled: false, email: null },
    guilds: guilds.map((guild) => ({ id: guild.id, unavailable: true })),
    session_id: id,
    session_type: 'normal',
    resume_gateway_url: url,
    shard: [0, 1],
    application: { id: application.id, flags: applicationFlags(application) },
    private_channels: [],
    relationships: [],
    presences: [],
    _trace: ['foyer-emulator'],
  }
}

/** A guild as a bot gets it: with its roles, channels, threads and the bot's own membership. */
export function guildPayload(guild: Guild, context: EmulatorContext): Payload {
  return {
    id: guild.id,
    name: guild.name,
    owner_id: guild.ownerId,
    ...PLAIN_GUILD,
    roles: rolesOf(guild),
    channels: channelsOf(guild),
    threads: guild.channels.filter(isThread).map((thread) => threadPayload(thread, guild)),
    members: [{ user: botPayload(context), ...plainMember([]), mute: false, deaf: false }],
    member_count: guild.members.length + 1,
    joined_at: JOINED_AT,
  }
}

/** The members that a bot asked for. */
export function membersPayload(guild: Guild, request: MemberRequest, { seed }: EmulatorContext): Payload {
  const { users, query, limit, nonce } = request
  const found = guild.members.flatMap(({ userId, roles }) => {
    const player = seed.players.find(({ id }) => id === userId)
    const isWanted =
      users?.includes(userId) ?? player?.username.toLowerCase().startsWith(query.toLowerCase()) === true
    return player !== undefined && isWanted
      ? [{ user: userPayload(player), ...plainMember(roles), mute: false, deaf: false }]
      : []
  })
  const missing = (users ?? []).filter((id) => !found.some(({ user }) => user['id'] === id))
  return {
    guild_id: guild.id,
    members: found.slice(0, limit === 0 ? CHUNK : limit),
    chunk_index: 0,
    chunk_count: 1,
    ...(missing.length === 0 ? {} : { not_found: missing }),
    ...(nonce === undefined ? {} : { nonce }),
  }
}

function rolesOf({ id, everyone, roles }: Guild): Payload[] {
  return [{ id, name: '@everyone', permissions: everyone }, ...roles].map((role, position) => ({
    ...rolePayload(role),
    position,
    flags: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    icon: null,
    unicode_emoji: null,
  }))
}

function threadPayload({ id, name, type, parentId }: Channel, guild: Guild): Payload {
  return {
    id,
    name,
    type,
    guild_id: guild.id,
    parent_id: parentId,
    owner_id: guild.ownerId,
    last_message_id: null,
    message_count: 0,
    member_count: 1,
    rate_limit_per_user: 0,
    flags: 0,
    thread_metadata: {
      archived: false,
      auto_archive_duration: 1440,
      archive_timestamp: JOINED_AT,
      locked: false,
    },
  }
}

/** Fields that every guild here has in common. */
const PLAIN_GUILD = {
  icon: null,
  splash: null,
  discovery_splash: null,
  afk_channel_id: null,
  afk_timeout: 300,
  verification_level: 0,
  default_message_notifications: 0,
  explicit_content_filter: 0,
  emojis: [],
  features: [],
  mfa_level: 0,
  application_id: null,
  system_channel_id: null,
  system_channel_flags: 0,
  rules_channel_id: null,
  vanity_url_code: null,
  description: null,
  banner: null,
  premium_tier: 0,
  preferred_locale: 'en-US',
  public_updates_channel_id: null,
  nsfw_level: 0,
  stickers: [],
  premium_progress_bar_enabled: false,
  safety_alerts_channel_id: null,
  large: false,
  unavailable: false,
  voice_states: [],
  presences: [],
  stage_instances: [],
  guild_scheduled_events: [],
  soundboard_sounds: [],
}
