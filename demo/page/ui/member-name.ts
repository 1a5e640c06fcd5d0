/** Display names of players: the members of a lobby are listed by id alone. */
import type { LobbyMessage } from 'foyer-sdk'
import type { Preset } from '../game/preset'

export function memberName(id: string, preset: Preset | null): string {
  return preset?.players.find((player) => player.id === id)?.name ?? `Player …${id.slice(-4)}`
}

export function authorName({ author, additionalName }: LobbyMessage): string {
  return additionalName ?? author.globalName ?? author.username
}
