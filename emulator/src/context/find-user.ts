/** Finds users who can hold a token: players of the seed, and provisional accounts. */
import type { Player } from '../seed/seed.js'
import type { EmulatorContext } from './emulator-context.js'

export function findUser(id: string | undefined, { seed, state }: Pick<EmulatorContext, 'seed' | 'state'>): Player | undefined {
  const player = seed.players.find((candidate) => candidate.id === id)
  if (player !== undefined || id === undefined) return player
  const account = state.accounts.find(id)
  return account && { ...account, avatar: null, email: '', locale: 'en-US', adult: false }
}
