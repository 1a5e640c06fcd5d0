/** Control plane for tests and tools: on this machine, and with the control token only. */
import { Hono, type Context } from 'hono'
import { readAnyJson } from '../request/read-json.js'
import type { ActivityControls } from '../../service/activity/activity-controls.js'
import { activityActs } from './activity-acts.js'
import type { Snapshot } from '../../state/snapshot.js'
import { fieldsOf } from '../../foundation/values.js'
import type { ClockChange, ClockState } from '../../state/clock.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { sameSecret } from '../../foundation/credentials.js'
import type { RequestLog } from '../request/request-log.js'
import type { EmulatorContext } from '../../state/emulator-context.js'

export interface Controls {
  authorize(url: string, choice: { as: string; deny?: boolean }): Promise<{ redirect: string }>
  device(choice: { userCode: string; as: string; deny?: boolean }): Promise<void>
  tokens(input: { user: string; action: 'expire' | 'revoke'; kind?: 'access' | 'refresh' }): void
  clock(change?: ClockChange): ClockState
  faults(rules?: unknown): unknown
  limits(input?: unknown): unknown
  reset(): void
  snapshot(): Snapshot
  restore(snapshot: Snapshot): void
  readonly activity: ActivityControls
}

type Act = (body: Record<string, unknown>) => unknown

export function createControl(context: EmulatorContext, log: RequestLog, controls: Controls): Hono {
  const routes = new Hono()
  routes.use('/_emulator/*', async (c, next) => guard(c, context) ?? next())
  routes.get('/_emulator/requests', (c) => c.json(log.list()))
  routes.get('/_emulator/installations', (c) => c.json(context.state.installations.list()))
  routes.get('/_emulator/activity', (c) => c.json({ url: controls.activity.url ?? null, instances: controls.activity.instances() }))
  routes.get('/_emulator/clock', (c) => c.json(context.clock.state()))
  routes.get('/_emulator/faults', (c) => c.json(controls.faults()))
  routes.get('/_emulator/limits', (c) => c.json(controls.limits()))
  for (const [name, act] of Object.entries(acts(controls))) routes.post(`/_emulator/${name}`, (c) => perform(c, act))
  return routes
}

/** Handlers of POST requests; the result is the response. */
function acts(controls: Controls): Record<string, Act> {
  return {
    reset: () => controls.reset(),
    authorize: ({ url, as, deny = false }) => {
      if (typeof url !== 'string' || typeof as !== 'string' || typeof deny !== 'boolean')
        throw misread('{ "url": string, "as": string, "deny"?: boolean }')
      return controls.authorize(url, { as, deny })
    },
    faults: ({ rules, ...rule }) => controls.faults(rules ?? rule),
    limits: (input) => controls.limits(input),
    device: ({ userCode, as, deny = false }) => {
      if (typeof userCode !== 'string' || typeof as !== 'string' || typeof deny !== 'boolean')
        throw misread('{ "userCode": string, "as": string, "deny"?: boolean }')
      return controls.device({ userCode, as, deny })
    },
    tokens: ({ user, action, kind = 'access' }) => {
      if (typeof user !== 'string' || (action !== 'expire' && action !== 'revoke') || (kind !== 'access' && kind !== 'refresh'))
        throw misread('{ "user": string, "action": "expire" | "revoke", "kind"?: "access" | "refresh" }')
      return controls.tokens({ user, action, kind })
    },
    ...activityActs(controls.activity),
    clock: (input) => {
      if (Object.keys(input).length === 0) throw misread('{ "advance"?: milliseconds, "skew"?: milliseconds, "frozen"?: boolean }')
      return controls.clock(input)
    },
  }
}

async function perform(c: Context, act: Act): Promise<Response> {
  const body: unknown = await readAnyJson(c)
  try {
    const answer = await act(Array.isArray(body) ? { rules: body } : fieldsOf(body))
    return answer === undefined ? c.body(null, 204) : c.json(answer)
  } catch (error) {
    if (error instanceof EmulatorError) return c.json({ code: error.code, message: error.message, rule: error.rule }, 400)
    throw error
  }
}

function misread(shape: string): EmulatorError {
  return new EmulatorError('bad_request', `The body must be JSON: ${shape}.`)
}

/** Checks the control token; hosts and origins were checked before. */
function guard(c: Context, { credentials }: EmulatorContext): Response | undefined {
  const token = /^Bearer (.+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  if (sameSecret(token, credentials.controlToken)) return undefined
  return c.json({ code: 'refused', message: 'The control plane needs "Authorization: Bearer <controlToken>".' }, 401)
}
