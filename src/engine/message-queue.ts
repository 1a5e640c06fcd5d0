/** Messages for engines that poll. */

/** Maximum number of messages that wait for a poll. */
const CAPACITY = 1000

export interface MessageQueue {
  add(json: string): void
  /** Returns and removes all messages, as one JSON array. */
  take(): string
}

/** A full queue drops the oldest message; the next `take` begins with a message that counts them. */
export function createMessageQueue(): MessageQueue {
  let messages: string[] = []
  let dropped = 0
  return {
    add(json) {
      if (messages.push(json) <= CAPACITY) return
      messages.shift()
      dropped += 1
    },
    take() {
      const count = dropped > 0 ? [JSON.stringify({ event: 'messagesDropped', data: { count: dropped } })] : []
      const taken = [...count, ...messages]
      messages = []
      dropped = 0
      return `[${taken.join()}]`
    },
  }
}
