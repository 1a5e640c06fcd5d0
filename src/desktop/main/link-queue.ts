/** Queue of deep links in order of arrival, with a maximum length and rate. */
import type { Clock } from '../../shared/foundation/clock'

/** Maximum number of waiting links; any program on the machine can send one. */
const MAX_WAITING = 8
/** Interval in ms between two links. */
const INTERVAL = 100

/** `Link`: a link, or a word about one. */
export interface LinkQueue<Link extends string = string> {
  add(link: Link): void
  /** Delivers waiting and future links to the listener. Returns an unsubscribe function. */
  listen(listener: (link: Link) => void): () => void
}

export function createLinkQueue<Link extends string = string>(clock: Clock): LinkQueue<Link> {
  const waiting: Link[] = []
  let listener: ((link: Link) => void) | undefined
  let cancelTimer: (() => void) | undefined

  const deliver = () => {
    cancelTimer = undefined
    const link = listener && waiting.shift()
    if (link === undefined) return
    cancelTimer = clock.after(INTERVAL, deliver)
    listener?.(link)
  }
  return {
    add(link) {
      // A system may deliver a link twice, as an event and as an argument.
      if (waiting.length >= MAX_WAITING || waiting.includes(link)) return
      waiting.push(link)
      if (!cancelTimer) deliver()
    },
    listen(next) {
      listener = next
      if (!cancelTimer) deliver()
      return () => {
        if (listener === next) listener = undefined
        cancelTimer?.()
        cancelTimer = undefined
      }
    },
  }
}
