/** Finds a player of the emulator by name. */
import type { Emulator, EmulatorUser } from 'foyer-emulator'

export function findPlayer(emulator: Emulator, username: string): EmulatorUser {
  const user = emulator.users.find((candidate) => candidate.username === username)
  if (!user) throw new Error(`no player ${username}`)
  return user
}
