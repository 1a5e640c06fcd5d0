/** Messages for engines that poll. */

/** Maximum number of messages that wait for a poll. */
const CAPACITY = 1000

export interface MessageQueue {
  /** Adds the result of a call, or an event. */
  add(json: string, kind: 'result' | 'event'): void
  /** Returns and removes all messages, as one JSON array. */
  take(): string
}

/**
 * A full queue drops the oldest event, since a call waits for each result; a result only if there is no event. The next `take` begins with a
 * message that counts the dropped ones.
 */
export function createMessageQueue(): MessageQueue {
  let messages: { json: string; kind: 'result' | 'event' }[] = []
  let dropped = 0
  return {
    add(json, kind) {
      if (messages.push({ json, kind }) <= CAPACITY) return
      const oldest = messages.findIndex((message) => message.kind === 'event')
      messages.splice(Math.max(oldest, 0), 1)
      dropped += 1
    },
    take() {
      const count =
        dropped > 0 ? [JSON.stringify({ event: 'messagesDropped', data: { count: dropped } })] : []
      const taken = [...count, ...messages.map(({ json }) => json)]
      messages = []
      dropped = 0
      return `[${taken.join()}]`
    },
  }
}
