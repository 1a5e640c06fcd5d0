/** Reads the JSON of a request that may have none. */
import type { Context } from 'hono'
import { isBrokenOff } from './is-broken-off.js'

/** Undefined for a body that is not JSON. */
export async function readAnyJson(c: Context): Promise<unknown> {
  return c.req.json().catch(refuseBrokenOff)
}

/** Nothing is done for a request that its client broke off: what it would have said is not known. */
export function refuseBrokenOff(error: unknown): undefined {
  if (isBrokenOff(error)) throw error
}
