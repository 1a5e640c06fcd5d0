/** What a sign-in that is refused ends with, by the arguments or by the service. Loaded when one is. */
export { authorizeRefusal } from '../foundation/refusal'
export { argumentError } from './args-error'
