/** Reads the messages of the main process. */
import { isRecord } from '../../shared/foundation/untrusted-values'
import { ConfigurationError } from '../../shared/foundation/errors'
import type { LobbyEndReason, LobbyMessage, LobbyState } from '../../client/lobbies/lobby-state'

/** The main process sends what `toJSON` of a lobby gives. */
function isState(value: unknown): value is LobbyState {
  return isRecord(value) && typeof value['id'] === 'string' && Array.isArray(value['members'])
}

/** @throws ConfigurationError `unsupported`. */
export function requireState(value: unknown): LobbyState {
  if (isState(value)) return value
  throw new ConfigurationError('unsupported', 'another version of foyer-sdk in the main process')
}

export const isMessage = (value: unknown): value is LobbyMessage =>
  isRecord(value) && typeof value['lobbyId'] === 'string'
export const isEndReason = (value: unknown): value is LobbyEndReason => typeof value === 'string'

/** Parses a record of strings. */
export function readTexts(text: string): Readonly<Partial<Record<string, string>>> {
  const fields: unknown = JSON.parse(text)
  return Object.fromEntries(
    Object.entries(isRecord(fields) ? fields : {}).map(([name, field]) => [name, String(field)]),
  )
}
