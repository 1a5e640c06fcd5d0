/** Builds the interaction that a backend receives. */
import { randomBytes } from 'node:crypto'
import type { Spot } from '../channels.js'
import { guildInstall, userInstall } from '../state/installations.js'
import type { Player } from '../seed/seed.js'
import type { Service } from '../service.js'
import { largestFile } from './attachments.js'
import { channelPayload, memberPayload, userPayload } from './people.js'

type Payload = Record<string, unknown>

const context = { guild: 0, bot: 1, private: 2 } as const
/** View channels, send messages, embed links, attach files. */
const usualAppPermissions = String((1n << 10n) | (1n << 11n) | (1n << 14n) | (1n << 15n))
const direct = 1

export interface Envelope {
  id: string
  type: number
  data?: Payload
  /** Of components and forms: the message that holds them. */
  message?: unknown
}

export function newToken(): string {
  return randomBytes(48).toString('base64url')
}

export function pingPayload(id: string, { seed }: Service): Payload {
  return { id, application_id: seed.application.id, type: 1, token: newToken(), version: 1 }
}

export function interactionPayload(
  { id, type, data, message }: Envelope,
  { player, spot, token }: { player: Player; spot: Spot; token: string },
  service: Service,
): Payload {
  const head = { id, application_id: service.seed.application.id, type, ...(data === undefined ? {} : { data }) }
  const tail = {
    token,
    version: 1,
    ...(message === undefined ? {} : { message }),
    app_permissions: usualAppPermissions,
    locale: player.locale,
    entitlements: [],
    authorizing_integration_owners: ownersOf(spot, player, service),
    context: contextOf(spot),
    attachment_size_limit: largestFile,
  }
  return { ...head, ...placeOf(spot, player), ...tail }
}

export function contextOf(spot: Spot): number {
  if (spot.kind === 'guild') return context.guild
  return spot.with === undefined ? context.bot : context.private
}

export function isUserInstalled({ id }: Player, { state }: Service): boolean {
  return state.installations.list().some(({ integrationType, ownerId }) => integrationType === userInstall && ownerId === id)
}

/** By whose installation the application is here. */
export function ownersOf(spot: Spot, player: Player, service: Service): Record<string, string> {
  const installedHere = spot.kind === 'guild' && isGuildInstalled(spot.guild.id, service)
  return {
    ...(installedHere ? { '0': spot.guild.id } : {}),
    ...(spot.kind === 'direct' && spot.with === undefined ? { '0': '0' } : {}),
    ...(isUserInstalled(player, service) ? { '1': player.id } : {}),
  }
}

export function isGuildInstalled(guildId: string, { seed, state }: Service): boolean {
  const installed = seed.guilds.some((guild) => guild.id === guildId && guild.installed)
  return (
    installed || state.installations.list().some(({ integrationType, ownerId }) => integrationType === guildInstall && ownerId === guildId)
  )
}

function placeOf(spot: Spot, player: Player): Payload {
  if (spot.kind === 'direct') return { channel_id: spot.id, channel: { id: spot.id, type: direct }, user: userPayload(player) }
  const { guild, channel } = spot
  return {
    guild_id: guild.id,
    guild: { id: guild.id, locale: 'en-US', features: [] },
    guild_locale: 'en-US',
    channel_id: channel.id,
    channel: channelPayload(channel, player, guild),
    member: memberPayload(player, guild, channel),
  }
}
