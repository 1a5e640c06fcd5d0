/** Behavior of lobbies that tests can change: size of metadata, length of messages, lifetime of secrets, lobbies per player. */
import { EmulatorError } from '../foundation/emulator-error.js'

export interface LobbyBehavior {
  /**
   * Unit of the limit of 1000 for a dictionary: code points or UTF-8 bytes of keys and values, or characters of its JSON. Default:
   * `characters`.
   */
  metadataUnit: 'characters' | 'bytes' | 'json'
  /** Maximum number of characters in a message. Default: 2000. */
  messageLength: number
  /** Lobbies that a player can be in; null, the default, removes the limit. */
  lobbiesPerPlayer: number | null
  /** Milliseconds from its first use for which a secret leads to its lobby. Default: 30 days. */
  secretLife: number
}

const day = 86_400_000
const units = ['characters', 'bytes', 'json'] as const

const defaultLobbyBehavior: LobbyBehavior = {
  metadataUnit: 'characters',
  messageLength: 2000,
  lobbiesPerPlayer: null,
  secretLife: 30 * day,
}

/** @throws EmulatorError `invalid_setting` */
export function resolveLobbyBehavior(given: object = {}): LobbyBehavior {
  const settings = readLobbyBehavior({ ...given })
  if (typeof settings === 'string') throw new EmulatorError('invalid_setting', settings)
  return { ...defaultLobbyBehavior, ...settings }
}

/** Returns the settings in the input, or an error message. */
export function readLobbyBehavior(given: Record<string, unknown>): Partial<LobbyBehavior> | string {
  const { metadataUnit, messageLength, lobbiesPerPlayer, secretLife, ...others } = given
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return `there is no ${unknown}: there are ${Object.keys(defaultLobbyBehavior).join(', ')}`
  const unit = units.find((one) => one === metadataUnit)
  if (metadataUnit !== undefined && unit === undefined) return `metadataUnit must be one of ${units.join(', ')}`
  if (messageLength !== undefined && !isCount(messageLength)) return 'messageLength must be a whole number of 1 or more'
  if (lobbiesPerPlayer !== undefined && lobbiesPerPlayer !== null && !isCount(lobbiesPerPlayer))
    return 'lobbiesPerPlayer must be a whole number of 1 or more, or null for no limit'
  if (secretLife !== undefined && !isCount(secretLife)) return 'secretLife must be a whole number of milliseconds of 1 or more'
  return {
    ...(unit === undefined ? {} : { metadataUnit: unit }),
    ...(messageLength === undefined ? {} : { messageLength }),
    ...(lobbiesPerPlayer === undefined ? {} : { lobbiesPerPlayer }),
    ...(secretLife === undefined ? {} : { secretLife }),
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
}
