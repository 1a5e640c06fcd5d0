/** Deep links in the order in which they came: kept until someone listens, few at once, and not too fast. */
import type { Clock } from '../../foundation/clock'

/** Links that may wait. Anyone on the machine can send one. */
const MAX_WAITING = 8
/** ms between two links. */
const PACE = 100

export interface LinkQueue {
  add(link: string): void
  /** Gives the listener what waits, and all that comes. The result undoes it. */
  listen(listener: (link: string) => void): () => void
}

export function createLinkQueue(clock: Clock): LinkQueue {
  const waiting: string[] = []
  let listener: ((link: string) => void) | undefined
  let pacing: (() => void) | undefined

  const deliver = () => {
    pacing = undefined
    const link = listener && waiting.shift()
    if (link === undefined) return
    pacing = clock.after(PACE, deliver)
    listener?.(link)
  }
  return {
    add(link) {
      // A system may deliver a link twice, once as an event and once as an argument.
      if (waiting.length >= MAX_WAITING || waiting.includes(link)) return
      waiting.push(link)
      if (!pacing) deliver()
    },
    listen(next) {
      listener = next
      if (!pacing) deliver()
      return () => {
        if (listener === next) listener = undefined
        pacing?.()
        pacing = undefined
      }
    },
  }
}
