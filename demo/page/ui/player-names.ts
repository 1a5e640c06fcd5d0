/** Display names of players: the members of a lobby are listed by id alone. */
import type { LobbyMessage } from 'foyer-sdk'
import type { Player } from '../game/run-sign-in'
import type { Preset } from '../game/emulator-preset'
import { playerName } from './player-name-and-avatar'

export const nameOf = (player: Player): string => playerName(player)

export function memberName(id: string, preset: Preset | null): string {
  return preset?.players.find((player) => player.id === id)?.name ?? `Player …${id.slice(-4)}`
}

export function authorName({ author, additionalName }: LobbyMessage): string {
  return additionalName ?? author.globalName ?? author.username
}
