/** The steps after a consent as one part, loaded at the click and with the first session. */
export { createExchange } from './context/exchange'
