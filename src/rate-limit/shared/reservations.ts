/** Whose turn it is at a shared bucket: who waits is served in the order of coming, each its part, and then stands behind the others. */

/** So many slots that are kept for a party which was told when to come back. */
export interface Reservation {
  readonly party: string
  readonly slots: number
  /** When nothing is kept any more: the party is late, or gone. */
  readonly until: number
}

/** Slots that are kept for those who come before a party, and when the first of these promises ends. */
export function before(turns: readonly Reservation[], party: string): { slots: number; until: number } {
  const own = turns.findIndex((turn) => turn.party === party)
  const ahead = own < 0 ? turns : turns.slice(0, own)
  return {
    slots: ahead.reduce((sum, { slots }) => sum + slots, 0),
    until: Math.min(...ahead.map(({ until }) => until)),
  }
}

/** The most that a party may take at once: what is left of its turn, `part` without one, anything while nobody else waits. */
export function most(turns: readonly Reservation[], party: string, part: number): number {
  const own = turns.find((turn) => turn.party === party)
  return turns.length > (own ? 1 : 0) ? (own?.slots ?? part) : Number.POSITIVE_INFINITY
}

/** The order after a party was granted `granted` slots and waits for `rest` more: in its old place until its turn is used up. */
export function after(turns: readonly Reservation[], news: { party: string; granted: number; rest: number; part: number }): Reservation[] {
  const { party, granted, rest, part } = news
  const own = turns.findIndex((turn) => turn.party === party)
  const left = (turns[own]?.slots ?? 0) - granted
  const others = turns.filter((turn) => turn.party !== party)
  if (rest === 0) return others
  const place = left > 0 ? own : others.length
  const turn = { party, slots: Math.min(rest, left > 0 ? left : part), until: Number.POSITIVE_INFINITY }
  return [...others.slice(0, place), turn, ...others.slice(place)]
}

/** The same turns, none larger than `part`: more parties have come. */
export const reduced = (turns: readonly Reservation[], part: number): Reservation[] =>
  turns.map((turn) => ({ ...turn, slots: Math.min(turn.slots, part) }))

/** The same turns; a party's is kept until then. */
export const promised = (turns: readonly Reservation[], party: string, until: number): Reservation[] =>
  turns.map((turn) => (turn.party === party ? { ...turn, until } : turn))
