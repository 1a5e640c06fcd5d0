/** Entry `foyer-sdk/workers`: sessions, tickets and used signatures in the storage of a Durable Object. @module foyer-sdk/workers */
export { durableObjectSessionStore } from './object-session-store'
export { durableObjectStore } from './durable-object-store'
export type { DurableObjectStore } from './durable-object-store'
export { removeExpired } from './remove-expired'
export type { DurableObjectStorage, DurableObjectTransaction } from './durable-object-storage'
export type { DurableObjectStoreOptions } from './expiring-entries'
export type { SessionStore } from '../sessions/session-store'
