/** One-time invitations to the guild whose channel a lobby is linked to. */
import { randomBytes } from 'node:crypto'
import { missingAccess } from '../commands/refusal.js'
import type { Service } from '../service.js'
import type { Lobby } from './lobby.js'
import { impossible } from './refusals.js'

/** @throws Refusal 400 for a lobby without a channel, 403 for a provisional account */
export function invite({ channelId }: Lobby, userId: string, { state }: Service): { code: string } {
  if (channelId === null) throw impossible('the lobby is linked to no channel')
  if (state.accounts.find(userId) !== undefined) throw missingAccess('a provisional account cannot join a guild')
  return { code: randomBytes(8).toString('base64url') }
}
