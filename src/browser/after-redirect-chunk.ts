/** Rare parts of a return from the authorize page, as one part: another page's attempt, and a response to another client. */
export { returnToLeftPage } from './return-to-left-page'
export { takeAttempt } from './take-attempt'
