/** Requires the request of the Fetch API where a handler takes one: Node and most frameworks have requests of their own. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { isRecord } from '../../shared/foundation/untrusted-values'

const REMEDY =
  'In Node, Express and Koa give the handler to toNodeListener(…), also one of your own. Elsewhere pass the original request: c.req.raw in Hono, event.request in SvelteKit'

/** @throws ConfigurationError `invalid_argument`, with how to come by one. */
export function requireRequest(given: unknown): void {
  if (isRecord(given) && isHeaders(given['headers']) && typeof given['url'] === 'string') return
  throw new ConfigurationError('invalid_argument', 'request: a Request of the Fetch API', { remedy: REMEDY })
}

/** Not `instanceof`: the request may come from another realm, or from a library. */
const isHeaders = (value: unknown): boolean => isRecord(value) && typeof value['get'] === 'function'
