/** Relationships between players. Two players are friends until something else is set. */

export const RELATIONSHIP_TYPES = { none: 0, friend: 1, blocked: 2, incoming: 3, outgoing: 4 } as const

export type RelationshipKind = keyof typeof RELATIONSHIP_TYPES

/** The same relationship, seen by the other player. */
const OPPOSITE: Record<RelationshipKind, RelationshipKind> = {
  none: 'none',
  friend: 'friend',
  blocked: 'none',
  incoming: 'outgoing',
  outgoing: 'incoming',
}

export class RelationshipStore {
  readonly #kinds = new Map<string, RelationshipKind>()

  /** The relationship of a player to another one. */
  kind(userId: string, otherId: string): RelationshipKind {
    return this.#kinds.get(`${userId} ${otherId}`) ?? 'friend'
  }

  /** Sets both directions. */
  set(userId: string, otherId: string, kind: RelationshipKind): void {
    this.#kinds.set(`${userId} ${otherId}`, kind)
    this.#kinds.set(`${otherId} ${userId}`, OPPOSITE[kind])
  }

  clear(): void {
    this.#kinds.clear()
  }
}
