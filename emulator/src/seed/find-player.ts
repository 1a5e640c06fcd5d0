/** Finds a player of the seed, for inputs that name one. */
import { EmulatorError } from '../foundation/emulator-error.js'
import type { Player } from './seed.js'

/**
 * @param as id or username
 * @throws EmulatorError `unknown_user`
 */
export function findPlayer(players: Player[], as: string): Player {
  const player = players.find(({ id, username }) => id === as || username === as)
  if (player !== undefined) return player
  const known = players.map(({ username }) => username).join(', ')
  throw new EmulatorError('unknown_user', `There is no player ${JSON.stringify(as)} here; there are ${known}.`)
}
