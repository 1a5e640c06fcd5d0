/** Endpoints that say where the gateway is. */
import type { Gateway } from '../../service/gateway/gateway.js'
import { gatewayAddress } from '../../service/gateway/gateway.js'
import { requireBot } from '../request/caller.js'
import { Hono, type Context } from 'hono'

export function createGatewayRoutes(gateway: Gateway): Hono {
  const routes = new Hono()
  routes.get('/gateway', (c) => c.json({ url: addressFor(c) }))
  routes.get('/gateway/bot', (c) => {
    requireBot(c)
    return c.json({ url: addressFor(c), shards: 1, session_start_limit: gateway.startLimit() })
  })
  return routes
}

/** A bot in a container reaches the emulator under another name than its own machine does. */
function addressFor(c: Context): string {
  return gatewayAddress(new URL(c.req.url).host)
}
