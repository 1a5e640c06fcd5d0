/** One-time invitations to the guild whose channel a lobby is linked to. */
import { randomBytes } from 'node:crypto'
import { missingAccess } from '../api/api-error.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import type { Lobby } from '../model/lobby.js'
import { impossible } from './lobby-errors.js'

/** @throws ApiError 400 for a lobby without a channel, 403 for a provisional account */
export function invite({ channelId }: Lobby, userId: string, { state }: EmulatorContext): { code: string } {
  if (channelId === null) throw impossible('the lobby is linked to no channel')
  if (state.accounts.find(userId) !== undefined) throw missingAccess('a provisional account cannot join a guild')
  return { code: randomBytes(8).toString('base64url') }
}
