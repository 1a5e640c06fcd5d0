/** Recognizes the error of a request that its client broke off. */
import { fieldsOf } from './type-guards.js'

/** True for an error of Node that says so: a reset connection, or a request without its end. */
export function isBrokenOff(error: unknown): boolean {
  const { code } = fieldsOf(error)
  return code === 'ECONNRESET' || (typeof code === 'string' && code.startsWith('HPE_'))
}
