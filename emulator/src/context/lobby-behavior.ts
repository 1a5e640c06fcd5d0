/** What a test may want otherwise of lobbies: how metadata is measured, how long messages and secrets live, how many lobbies a player is in. */
import { EmulatorError } from '../foundation/error.js'

export interface LobbyBehavior {
  /** How the 1000 of a dictionary are counted: code points or UTF-8 bytes of keys and values, or the characters of its JSON. */
  metadataUnit: 'characters' | 'bytes' | 'json'
  /** Characters in a message. */
  messageLength: number
  /** Lobbies that a player can be in; null lifts the limit. */
  lobbiesPerPlayer: number | null
  /** Milliseconds that a secret leads to its lobby, from when it made it. */
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

/** @throws EmulatorError `invalid_knob` */
export function resolveLobbyBehavior(given: object = {}): LobbyBehavior {
  const knobs = readLobbyBehavior({ ...given })
  if (typeof knobs === 'string') throw new EmulatorError('invalid_knob', knobs)
  return { ...defaultLobbyBehavior, ...knobs }
}

/** The known knobs among the fields of a value, or what is wrong with it. */
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
