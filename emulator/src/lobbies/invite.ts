/** One-time invitations to the guild whose channel a lobby is linked to. */
import { randomBytes } from 'node:crypto'
import { missingAccess } from '../api/api-error.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import type { Lobby } from '../model/lobby.js'
import { channelOf } from './linkable-channel.js'
import { impossible } from './lobby-errors.js'

/** Milliseconds for which an invitation is valid. */
const LIFETIME = 3_600_000

/** @throws ApiError 400 for a lobby without a channel, 403 for a provisional account */
export function invite({ channelId }: Lobby, userId: string, { state, seed, clock }: EmulatorContext): { code: string } {
  const place = channelOf(channelId, seed)
  if (place === undefined) throw impossible('the lobby is linked to no channel')
  if (state.accounts.find(userId) !== undefined) throw missingAccess('a provisional account cannot join a guild')
  const code = randomBytes(8).toString('base64url')
  const now = Math.floor(clock.now())
  state.guildInvites.add({ code, guildId: place.guild.id, userId, expires: now + LIFETIME }, now)
  return { code }
}
