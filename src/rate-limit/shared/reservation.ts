/** Reservations of a shared bucket: waiting parties are served in order, each its part, and then go to the end of the line. */

/** Slots reserved for a party that was given a time to come back. */
export interface Reservation {
  readonly party: string
  readonly slots: number
  /** Expiry: afterwards the party is late, or gone. */
  readonly until: number
}

/**
 * Slots reserved for the parties before `party`, and the expiry of the last of these reservations: a party that does not come leaves its slot
 * to the next one. If all others looked too, each grant would cost as many requests as parties wait.
 */
export function reservedBefore(reservations: readonly Reservation[], party: string): { slots: number; until: number } {
  const own = reservations.findIndex((reservation) => reservation.party === party)
  const ahead = own < 0 ? reservations : reservations.slice(0, own)
  return {
    slots: ahead.reduce((sum, { slots }) => sum + slots, 0),
    until: ahead.at(-1)?.until ?? Number.POSITIVE_INFINITY,
  }
}

/** Maximum that a party may take at once: the rest of its reservation, `part` without one, unlimited if no other party waits. */
export function maxSlots(reservations: readonly Reservation[], party: string, part: number): number {
  const own = reservations.find((reservation) => reservation.party === party)
  return reservations.length > (own ? 1 : 0) ? (own?.slots ?? part) : Number.POSITIVE_INFINITY
}

/**
 * The order after a party was granted `granted` slots and waits for `rest` more: it keeps its position until its reservation is used up.
 */
export function updateReservations(
  reservations: readonly Reservation[],
  grant: { party: string; granted: number; rest: number; part: number },
): Reservation[] {
  const { party, granted, rest, part } = grant
  const own = reservations.findIndex((reservation) => reservation.party === party)
  const left = (reservations[own]?.slots ?? 0) - granted
  const others = reservations.filter((reservation) => reservation.party !== party)
  if (rest === 0) return others
  const index = left > 0 ? own : others.length
  const reservation = { party, slots: Math.min(rest, left > 0 ? left : part), until: Number.POSITIVE_INFINITY }
  return [...others.slice(0, index), reservation, ...others.slice(index)]
}

/** Caps each reservation at `part`, since more parties have joined. */
export const capReservations = (reservations: readonly Reservation[], part: number): Reservation[] =>
  reservations.map((reservation) => ({ ...reservation, slots: Math.min(reservation.slots, part) }))

/** Sets the expiry of a party's reservation. */
export const extendReservation = (reservations: readonly Reservation[], party: string, until: number): Reservation[] =>
  reservations.map((reservation) => (reservation.party === party ? { ...reservation, until } : reservation))
