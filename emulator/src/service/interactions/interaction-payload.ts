/** Builds the payload of an interaction. */
import { randomBytes } from 'node:crypto'
import type { VisibleChannel } from '../guilds/visible-channels.js'
import { isGuildInstalled } from '../guilds/guild-with-application.js'
import { USER_INSTALL } from '../../state/installations.js'
import type { Player } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { LARGEST_FILE } from './attachments.js'
import { channelPayload, memberPayload, USUAL_APP_PERMISSIONS, userPayload } from '../guilds/user-payload.js'

type Payload = Record<string, unknown>

const INTERACTION_CONTEXT = { guild: 0, bot: 1, private: 2 } as const
const DIRECT = 1

export interface Envelope {
  id: string
  type: number
  data?: Payload
  /** Message that contains the component or that opened the modal. */
  message?: unknown
}

export interface Sender {
  player: Player
  location: VisibleChannel
  token: string
  /** Purchases of the player and of the guild that last. */
  entitlements: readonly unknown[]
}

export function newToken(): string {
  return randomBytes(48).toString('base64url')
}

export function pingPayload(id: string, { seed }: EmulatorContext): Payload {
  return { id, application_id: seed.application.id, type: 1, token: newToken(), version: 1 }
}

export function interactionPayload(
  { id, type, data, message }: Envelope,
  { player, location, token, entitlements }: Sender,
  context: EmulatorContext,
): Payload {
  const head = {
    id,
    application_id: context.seed.application.id,
    type,
    ...(data === undefined ? {} : { data }),
  }
  const tail = {
    token,
    version: 1,
    ...(message === undefined ? {} : { message }),
    app_permissions: USUAL_APP_PERMISSIONS,
    locale: player.locale,
    entitlements,
    authorizing_integration_owners: ownersOf(location, player, context),
    context: contextOf(location),
    attachment_size_limit: LARGEST_FILE,
  }
  return { ...head, ...placeOf(location, player), ...tail }
}

export function contextOf(location: VisibleChannel): number {
  if (location.kind === 'guild') return INTERACTION_CONTEXT.guild
  return location.with === undefined ? INTERACTION_CONTEXT.bot : INTERACTION_CONTEXT.private
}

export function isUserInstalled({ id }: Player, { state }: EmulatorContext): boolean {
  return state.installations
    .list()
    .some(({ integrationType, ownerId }) => integrationType === USER_INSTALL && ownerId === id)
}

/** Owners of the installations that make the application available here. */
export function ownersOf(
  location: VisibleChannel,
  player: Player,
  context: EmulatorContext,
): Record<string, string> {
  const installedHere = location.kind === 'guild' && isGuildInstalled(location.guild.id, context)
  return {
    ...(installedHere ? { '0': location.guild.id } : {}),
    ...(location.kind === 'direct' && location.with === undefined ? { '0': '0' } : {}),
    ...(isUserInstalled(player, context) ? { '1': player.id } : {}),
  }
}

function placeOf(location: VisibleChannel, player: Player): Payload {
  if (location.kind === 'direct')
    return { channel_id: location.id, channel: { id: location.id, type: DIRECT }, user: userPayload(player) }
  const { guild, channel } = location
  return {
    guild_id: guild.id,
    guild: { id: guild.id, locale: 'en-US', features: [] },
    guild_locale: 'en-US',
    channel_id: channel.id,
    channel: channelPayload(channel, player, guild),
    member: memberPayload(player, guild, channel),
  }
}
