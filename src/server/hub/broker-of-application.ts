/** The part of a lobby broker that belongs to one application, also of a broker that knows no applications. */
import type { LobbyBroker } from './lobby-broker'

/** The same broker with keys and notes of the application: two games with one broker never meet. */
export function brokerOfApplication(broker: LobbyBroker, applicationId: string): LobbyBroker {
  if (broker.forApplication) return broker.forApplication(applicationId)
  const start = `${applicationId}:`
  const own = (key: string): string => start + key
  return {
    put: async (key, text, ttl) => broker.put(own(key), text, ttl),
    take: async (key) => broker.take(own(key)),
    publish: async (note) => broker.publish(own(note)),
    subscribe: (listener) =>
      broker.subscribe({
        note: (text) => (text.startsWith(start) ? listener.note(text.slice(start.length)) : undefined),
        gap: () => listener.gap(),
        failed: (error) => listener.failed?.(error),
      }),
    nextVersion: async (least) => broker.nextVersion(least),
    putNewest: async (key, value, ttl) => broker.putNewest(own(key), value, ttl),
    getAll: async (keys) => broker.getAll(keys.map(own)),
    increment: async (key, amount, ttl) => broker.increment(own(key), amount, ttl),
    addMember: async (sets, member, ttl) => broker.addMember(sets.map(own), member, ttl),
    removeMember: async (set, member) => broker.removeMember(own(set), member),
    membersOf: async (sets) => broker.membersOf(sets.map(own)),
  }
}
