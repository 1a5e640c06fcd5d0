/** Rare parts of a return from the authorize page, as one part: another page's attempt, and responses to another client or window. */
export { toRegisteredUrl } from './probe-callback'
export { relayFromGame } from './relay-from-game'
export { returnToLeftPage } from './return-to-page'
export { takeAttempt } from './take-attempt'
