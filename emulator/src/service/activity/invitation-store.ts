/** Invitations into an instance, from one player to another. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../state/clock.js'

export interface Invitation {
  id: string
  from: string
  to: string
  instanceId: string
  channelId: string
  content: string
  /** Epoch milliseconds. */
  expiresAt: number
}

/** Milliseconds until an invitation is over. */
const LIFETIME = 6 * 3_600_000

export class InvitationStore {
  readonly #clock: Clock
  readonly #invitations = new Map<string, Invitation>()
  readonly #secrets = new Map<string, string>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(invitation: Omit<Invitation, 'id' | 'expiresAt'>): Invitation {
    const stored = {
      ...invitation,
      id: randomBytes(8).toString('hex'),
      expiresAt: this.#clock.now() + LIFETIME,
    }
    this.#invitations.set(stored.id, stored)
    return stored
  }

  /** Undefined if it is over. */
  find(id: string): Invitation | undefined {
    const invitation = this.#invitations.get(id)
    return invitation !== undefined && invitation.expiresAt > this.#clock.now() ? invitation : undefined
  }

  /** Invitations to a player, oldest first. */
  list(userId: string): Invitation[] {
    return [...this.#invitations.values()].filter(
      ({ id, to }) => to === userId && this.find(id) !== undefined,
    )
  }

  /** Keeps the join secret of an accepted invitation until the player's game subscribes. */
  keepSecret(userId: string, secret: string): void {
    this.#secrets.set(userId, secret)
  }

  takeSecret(userId: string): string | undefined {
    const secret = this.#secrets.get(userId)
    this.#secrets.delete(userId)
    return secret
  }

  clear(): void {
    this.#invitations.clear()
    this.#secrets.clear()
  }
}
