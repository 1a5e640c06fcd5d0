/** Rich presence of players: what SET_ACTIVITY set. */
import type { Clock } from '../../state/clock.js'
import type { Application } from '../../state/seed/seed.js'
import { isObject, textOf } from '../../foundation/values.js'
import { ERROR_CODE, RpcError } from './rpc-messages.js'

export interface Presence extends Record<string, unknown> {
  name: string
  type: number
  application_id: string
  created_at: number
}

const FIELDS = [
  'type',
  'state',
  'state_url',
  'details',
  'details_url',
  'timestamps',
  'assets',
  'party',
  'secrets',
  'instance',
]
/** Playing, listening, watching, competing. */
const SETTABLE_TYPES = new Set([0, 2, 3, 5])

export class PresenceStore {
  readonly #application: Pick<Application, 'id' | 'name'>
  readonly #clock: Clock
  readonly #presences = new Map<string, Presence>()

  constructor(application: Pick<Application, 'id' | 'name'>, clock: Clock) {
    this.#application = application
    this.#clock = clock
  }

  /** @throws RpcError 4000 for an invalid presence. */
  set(userId: string, activity: Record<string, unknown>): Presence {
    checkPresence(activity)
    const given = Object.fromEntries(
      FIELDS.flatMap((name) => (activity[name] === undefined ? [] : [[name, activity[name]]])),
    )
    const { id, name } = this.#application
    const presence: Presence = { type: 0, ...given, name, application_id: id, created_at: this.#clock.now() }
    this.#presences.set(userId, presence)
    return presence
  }

  get(userId: string): Presence | undefined {
    return this.#presences.get(userId)
  }

  /** The presence as friends see it, without the secrets. */
  shown(userId: string): Omit<Presence, 'secrets'> | undefined {
    const presence = this.#presences.get(userId)
    if (presence === undefined) return undefined
    const { secrets: _, ...rest } = presence
    return rest
  }

  /** The secret with which others join this player. */
  joinSecret(userId: string): string | undefined {
    const secrets = this.#presences.get(userId)?.['secrets']
    return isObject(secrets) ? textOf(secrets['join']) : undefined
  }

  delete(userId: string): boolean {
    return this.#presences.delete(userId)
  }

  clear(): void {
    this.#presences.clear()
  }
}

function checkPresence(activity: Record<string, unknown>): void {
  const { type, state, details, party, secrets } = activity
  if (type !== undefined && !(typeof type === 'number' && SETTABLE_TYPES.has(type)))
    throw invalid('type must be 0, 2, 3 or 5')
  checkText('state', state)
  checkText('details', details)
  if (isObject(party)) checkParty(party)
  if (isObject(secrets)) checkText('secrets.join', secrets['join'])
  if (
    isObject(secrets) &&
    typeof secrets['join'] === 'string' &&
    !(isObject(party) && typeof party['id'] === 'string')
  )
    throw invalid('secrets.join needs party.id')
}

function checkParty({ id, size }: Record<string, unknown>): void {
  checkText('party.id', id)
  if (size === undefined || size === null) return
  const [current, max]: unknown[] = Array.isArray(size) && size.length === 2 ? size : []
  if (typeof current !== 'number' || typeof max !== 'number' || current < 1 || max < current)
    throw invalid('party.size must be [current, max], with 1 <= current <= max')
}

/** 2 to 128 characters; absent and null are no value. */
function checkText(name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (typeof value !== 'string' || value.length < 2 || value.length > 128)
    throw invalid(`${name} must have 2 to 128 characters`)
}

function invalid(rule: string): RpcError {
  return new RpcError(ERROR_CODE.invalidPayload, `Invalid payload: activity: ${rule}`)
}
