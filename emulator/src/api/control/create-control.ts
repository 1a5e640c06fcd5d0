/** Control plane for tests and tools: on this machine, and with the control token only. */
import { Hono, type Context } from 'hono'
import { streamSSE, type SSEStreamingApi } from 'hono/streaming'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { sameSecret } from '../../foundation/credentials.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { LocalPrograms } from '../../service/local-program/local-programs.js'
import { SavedSnapshots } from '../../state/snapshot.js'
import { readAnyJson } from '../request/read-json.js'
import { createDetailsReader, type RequestLog } from '../request/request-log.js'
import { explainedBody } from './control-body.js'
import { controlTable, type Controls } from './control-table.js'

interface ControlServices {
  log: RequestLog
  controls: Controls
  programs: LocalPrograms
}

export function createControl(context: EmulatorContext, { log, controls, programs }: ControlServices): Hono {
  const routes = new Hono()
  routes.use('/_emulator/*', async (c, next) => guard(c, context) ?? next())
  for (const { method, path, takes, answer } of controlTable({
    context,
    log,
    controls,
    saved: new SavedSnapshots(),
    programs,
  }))
    routes.on(method, `/_emulator/${path}`, async (c) => {
      const body = method === 'GET' ? undefined : await readAnyJson(c)
      const result = await explainedBody(`${method} /_emulator/${path}`, takes, () => answer(body, c.req))
      return result === undefined ? c.body(null, 204) : c.json(result)
    })
  addRequestRoutes(routes, log)
  routes.get('/_emulator/events', (c) =>
    streamUntilClosed(c, (stream) => {
      const undo = context.events.subscribe(
        ({ name, data }) => void stream.writeSSE({ event: name, data: JSON.stringify(data) }),
      )
      // Headers are sent with the first byte: after receiving them, a client misses no event.
      void stream.write(': open\n\n')
      return undo
    }),
  )
  routes.onError((error, c) => {
    if (error instanceof EmulatorError)
      return c.json({ code: error.code, message: error.message, rule: shownRule(error) }, 400)
    throw error
  })
  return routes
}

function addRequestRoutes(routes: Hono, log: RequestLog): void {
  const readDetails = createDetailsReader(log)
  routes.get('/_emulator/requests/:serial{\\d+}', (c) => {
    const details = readDetails(Number(c.req.param('serial')), { reveal: c.req.query('reveal') === 'true' })
    c.header('Cache-Control', 'no-store')
    return details === undefined
      ? c.json({ code: 'unknown_request', message: 'The log has this request no more.' }, 404)
      : c.json(details)
  })
  routes.get('/_emulator/requests/live', (c) =>
    streamUntilClosed(c, (stream) => {
      const undo = log.subscribe(
        (request) => void stream.writeSSE({ event: 'request', data: JSON.stringify(request) }),
      )
      // One event with all earlier requests: a page that connects again misses none.
      void stream.writeSSE({ event: 'requests', data: JSON.stringify(log.list()) })
      return undo
    }),
  )
}

/** @param open begins to write, and returns a function that ends it. */
function streamUntilClosed(c: Context, open: (stream: SSEStreamingApi) => () => void): Response {
  return streamSSE(c, async (stream) => {
    await new Promise<void>((resolve) => {
      const undo = open(stream)
      stream.onAbort(() => {
        undo()
        resolve()
      })
    })
  })
}

/** The message of a refused endpoint names its rule already. */
function shownRule({ code, rule }: EmulatorError): string | undefined {
  return code === 'endpoint_refused' ? undefined : rule
}

/** Checks the control token; hosts and origins were checked before. */
function guard(c: Context, { credentials }: EmulatorContext): Response | undefined {
  const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  if (sameSecret(token, credentials.controlToken)) return undefined
  return c.json(
    { code: 'refused', message: 'The control plane needs "Authorization: Bearer <controlToken>".' },
    401,
  )
}
