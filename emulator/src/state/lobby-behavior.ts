/** Behavior of lobbies that tests can change: metadata, messages, absent fields of members, secrets, lobbies per player. */
import { didYouMean } from '../foundation/closest-name.js'
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
  /**
   * `dispatch`, the default: the metadata of a message is in its live event only. `history`: also in the response to the sender and in the
   * history.
   */
  messageMetadata: 'dispatch' | 'history'
  /** Fields of a member that are absent in `PUT` and in a bulk update: `keep` their value, the default, or `reset` to that of a new member. */
  absentMemberFields: 'keep' | 'reset'
}

const DAY = 86_400_000
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  metadataUnit: ['characters', 'bytes', 'json'],
  messageMetadata: ['dispatch', 'history'],
  absentMemberFields: ['keep', 'reset'],
}

const DEFAULT_LOBBY_BEHAVIOR: LobbyBehavior = {
  metadataUnit: 'characters',
  messageLength: 2000,
  lobbiesPerPlayer: null,
  secretLife: 30 * DAY,
  messageMetadata: 'dispatch',
  absentMemberFields: 'keep',
}

/** @throws EmulatorError `invalid_setting` */
export function resolveLobbyBehavior(given: object = {}): LobbyBehavior {
  const settings = readLobbyBehavior({ ...given })
  if (typeof settings === 'string') throw new EmulatorError('invalid_setting', settings)
  return { ...DEFAULT_LOBBY_BEHAVIOR, ...settings }
}

/** Returns the settings in the input, or an error message. */
export function readLobbyBehavior(given: Record<string, unknown>): Partial<LobbyBehavior> | string {
  const settings = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  for (const [name, value] of Object.entries(settings)) {
    const problem = problemOf(name, value)
    if (problem !== undefined) return problem
  }
  return settings
}

function problemOf(name: string, value: unknown): string | undefined {
  if (!Object.hasOwn(DEFAULT_LOBBY_BEHAVIOR, name))
    return `there is no ${name}${didYouMean(name, Object.keys(DEFAULT_LOBBY_BEHAVIOR))}: there are ${Object.keys(DEFAULT_LOBBY_BEHAVIOR).join(', ')}`
  const allowed = CHOICES[name]
  if (allowed !== undefined)
    return allowed.some((one) => one === value) ? undefined : `${name} must be one of ${allowed.join(', ')}`
  if (isCount(value) || (name === 'lobbiesPerPlayer' && value === null)) return undefined
  return `${name} must be a whole number${name === 'secretLife' ? ' of milliseconds' : ''} of 1 or more${name === 'lobbiesPerPlayer' ? ', or null for no limit' : ''}`
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
}
