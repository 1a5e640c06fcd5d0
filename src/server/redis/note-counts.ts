/** Detection of lost notes: each sender numbers its notes and announces the last number at intervals. */

/** Numbers announced by and received from one sender. */
interface Sender {
  /** Number announced by its last beat but one: its notes up to here must have arrived. */
  announced: number
  /** Notes up to this number are not counted. */
  base: number
  /** Notes above `base` that have arrived. */
  received: number
  /** Number of own beats since its last one. */
  silent: number
}

/** Own beats after which a silent sender is forgotten. */
const FORGET_AFTER = 30

/** A note as it is published: sender, number of the sender's last note, and a text; a beat has none. */
export interface NumberedNote {
  readonly sender: string
  readonly number: number
  readonly text: string | undefined
}

export const encodeNumbered = ({ sender, number, text }: NumberedNote): string =>
  `${sender} ${number}${text === undefined ? '' : ` ${text}`}`

export function decodeNumbered(message: string): NumberedNote | undefined {
  const [, sender, number, , text] = /^([\w-]+) (\d+)( ([^]*))?$/.exec(message) ?? []
  return sender !== undefined && Number.isSafeInteger(Number(number))
    ? { sender, number: Number(number), text }
    : undefined
}

/** Counts the notes of each sender. Notes of a sender may arrive in another order, as through different nodes of a cluster. */
export class NoteCounts {
  readonly #senders = new Map<string, Sender>()

  /** Number of senders. */
  get size(): number {
    return this.#senders.size
  }

  /** Counts a note or a beat. Returns true if notes were lost: what the beat before had announced has not arrived. */
  isGap({ sender, number, text }: NumberedNote): boolean {
    const known = this.#senders.get(sender)
    if (!known) this.#senders.set(sender, { announced: number, base: number, received: 0, silent: 0 })
    if (!known) return false
    if (text !== undefined) {
      if (number > known.base) known.received++
      return false
    }
    known.silent = 0
    const isLost = known.base + known.received < known.announced
    if (isLost) Object.assign(known, { base: number, received: 0 })
    known.announced = number
    return isLost
  }

  /** Called at each own beat. */
  age(): void {
    for (const [sender, known] of this.#senders)
      if (known.silent++ > FORGET_AFTER) this.#senders.delete(sender)
  }
}
