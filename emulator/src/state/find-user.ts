/** Finds users who can hold a token: players of the seed, and provisional accounts. */
import { closestName } from '../foundation/closest-name.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import type { EmulatorContext } from './emulator-context.js'
import type { Player } from './seed/seed.js'

export function findUser(
  id: string | undefined,
  { seed, state }: Pick<EmulatorContext, 'seed' | 'state'>,
): Player | undefined {
  const player = seed.players.find((candidate) => candidate.id === id)
  if (player !== undefined || id === undefined) return player
  const account = state.accounts.find(id)
  return account && { ...account, avatar: null, email: '', locale: 'en-US', adult: false }
}

/**
 * @param as id or username
 * @throws EmulatorError `unknown_user`
 */
export function findPlayer(players: Player[], as: string): Player {
  const player = players.find(({ id, username }) => id === as || username === as)
  if (player !== undefined) return player
  const names = players.map(({ username }) => username)
  const near =
    players.find(({ globalName }) => globalName !== null && closestName(as, [globalName]) !== undefined)
      ?.username ?? closestName(as, names)
  const hint = near === undefined ? '' : ` (did you mean ${near}?)`
  throw new EmulatorError(
    'unknown_user',
    `There is no player ${JSON.stringify(as)} here${hint}; there are ${names.join(', ')}.`,
  )
}
