/** Open interactions: three seconds for the first response, then fifteen minutes for further calls with their token. */
import type { VisibleChannel } from '../guilds/visible-channels.js'
import type { Clock } from '../../state/clock.js'
import type { Player } from '../../state/seed/seed.js'
import { sameSecret } from '../../foundation/credentials.js'
import type { InteractionKind } from './backend-response.js'
import type { Outcome } from './interaction-controls.js'

/** The interaction that a message responds to. */
export interface InteractionMetadata extends Record<string, unknown> {
  id: string
  type: InteractionKind
  /** Shown next to the message. */
  name: string
}

export interface Pending {
  readonly id: string
  readonly token: string
  readonly kind: InteractionKind
  readonly player: Player
  readonly location: VisibleChannel
  /** `/duel`, `Report` or a button's id; shown next to the response. */
  readonly subject: string
  readonly command: { id: string; type: number } | undefined
  /** Id of the message with the component. */
  readonly source: string | undefined
  /** Type of the option that is being typed. */
  readonly typed: number | undefined
  /** What messages that respond to it say about it. */
  readonly metadata: InteractionMetadata
  /** True if only a user installation makes the application available here. */
  readonly byUserOnly: boolean
  readonly created: number
  state: 'waiting' | 'answered' | 'failed'
  /** Id of the message that responds to it: `@original`. */
  original: string | undefined
  followUps: number
  /** Resolves when the response arrives as an API call. */
  readonly called: Promise<Outcome>
  readonly settle: (outcome: Outcome) => void
}

export const LIFETIME = 15 * 60_000

export class PendingInteractions {
  readonly #clock: Clock
  readonly #all = new Map<string, Pending>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  open(facts: Omit<Pending, 'created' | 'state' | 'original' | 'followUps' | 'called' | 'settle'>): Pending {
    let resolve: Pending['settle'] | undefined
    const called = new Promise<Outcome>((settle) => {
      resolve = settle
    })
    const pending: Pending = {
      ...facts,
      created: this.#clock.now(),
      state: 'waiting',
      original: undefined,
      followUps: 0,
      called,
      settle: (outcome) => resolve?.(outcome),
    }
    this.#all.set(facts.id, pending)
    for (const old of this.#all.values()) if (!this.#lives(old)) this.#all.delete(old.id)
    return pending
  }

  /** Finds an interaction by id and token, while the token is valid. */
  find(id: string, token: string): Pending | undefined {
    const pending = this.#all.get(id)
    return pending !== undefined && this.#lives(pending) && sameSecret(token, pending.token)
      ? pending
      : undefined
  }

  findByToken(token: string): Pending | undefined {
    return [...this.#all.values()].find((pending) => this.#lives(pending) && sameSecret(token, pending.token))
  }

  clear(): void {
    this.#all.clear()
  }

  #lives({ created }: Pending): boolean {
    return this.#clock.now() < created + LIFETIME
  }
}
