/** The control plane: what tests and tools may do to the emulator, on this machine and with its token only. */
import { Hono, type Context } from 'hono'
import { fieldsOf } from '../decode.js'
import { EmulatorError } from '../error.js'
import { sameSecret } from '../secrets.js'
import type { RequestLog } from './request-log.js'
import type { Service } from '../service.js'

export interface Controls {
  authorize(url: string, choice: { as: string; deny?: boolean }): Promise<{ redirect: string }>
  reset(): void
}

export function createControl(service: Service, log: RequestLog, controls: Controls): Hono {
  const routes = new Hono()
  routes.use('/_emulator/*', async (c, next) => guard(c, service) ?? next())
  routes.get('/_emulator/requests', (c) => c.json(log.list()))
  routes.get('/_emulator/installations', (c) => c.json(service.state.installations.list()))
  routes.post('/_emulator/reset', (c) => {
    controls.reset()
    return c.body(null, 204)
  })
  routes.post('/_emulator/authorize', async (c) => {
    const body: unknown = await c.req.json().catch(() => undefined)
    const request = authorizeRequest(body)
    if (request === undefined) return refuse(c, 400, 'The body must be JSON: { "url": string, "as": string, "deny"?: boolean }.')
    try {
      return c.json(await controls.authorize(request.url, request))
    } catch (error) {
      if (error instanceof EmulatorError) return c.json({ code: error.code, message: error.message, rule: error.rule }, 400)
      throw error
    }
  })
  return routes
}

/** A web page can reach this machine too: it is kept out by the host it addressed, by its origin and by the token. */
function guard(c: Context, { url, port, credentials }: Service): Response | undefined {
  const origin = c.req.header('origin')
  if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(c.req.header('host') ?? ''))
    return refuse(c, 403, 'The control plane answers on 127.0.0.1 and localhost only.')
  if (origin !== undefined && origin !== url) return refuse(c, 403, 'The control plane takes no requests of other origins.')
  const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  return sameSecret(token, credentials.controlToken)
    ? undefined
    : refuse(c, 401, 'The control plane needs "Authorization: Bearer <controlToken>".')
}

function authorizeRequest(body: unknown): { url: string; as: string; deny: boolean } | undefined {
  const { url, as, deny = false } = fieldsOf(body)
  return typeof url === 'string' && typeof as === 'string' && typeof deny === 'boolean' ? { url, as, deny } : undefined
}

function refuse(c: Context, status: 400 | 401 | 403, message: string): Response {
  return c.json({ code: status === 400 ? 'bad_request' : 'refused', message }, status)
}
