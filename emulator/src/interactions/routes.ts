/** The endpoints that a backend calls with an interaction's token: its first answer, and everything after it. */
import { Hono, type Context } from 'hono'
import { answerRefusal, Refusal } from '../commands/refusal.js'
import { fieldsOf } from '../decode.js'
import type { Service } from '../service.js'
import { callback, ephemeral, faultsOfMessage, readAnswer } from './answer.js'
import type { Outcome } from './controls.js'
import type { Desk } from './desk.js'
import { loading, type Message } from './messages.js'
import type { Pending } from './pending.js'
import { contentOf } from './responder.js'

const followUpsOfUserApps = 5
const original = '@original'

export function createInteractionRoutes(service: Service, desk: Desk): Hono {
  const routes = new Hono()
  routes.post('/interactions/:id/:token/callback', (c) => logged(c, desk, (body) => answer(c, desk, body)))
  routes.post('/webhooks/:application/:token', (c) => logged(c, desk, (body) => followUp(c, { service, desk, body })))
  const one = '/webhooks/:application/:token/messages/:message'
  routes.get(one, (c) => logged(c, desk, () => c.json(messageOf(c, service, desk).message)))
  routes.patch(one, (c) => logged(c, desk, (body) => edit(c, { service, desk, body })))
  routes.delete(one, (c) =>
    logged(c, desk, () => {
      desk.messageStore.delete(messageOf(c, service, desk).message.id)
      return c.body(null, 204)
    }),
  )
  return routes
}

/** Every call stands beside the interaction that it belongs to. */
async function logged(c: Context, desk: Desk, run: (body: unknown) => Response): Promise<Response> {
  const text = c.req.method === 'GET' || c.req.method === 'DELETE' ? '' : await c.req.text()
  const pending = pendingOf(c, desk)
  let response: Response
  try {
    response = run(text === '' ? undefined : parse(text))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    response = answerRefusal(c, error)
  }
  const rule = response.headers.get('x-emulator-rule')
  const path = c.req.path.replace(c.req.param('token') ?? '', '[token]')
  const call = { method: c.req.method, path, status: response.status, body: text, ...(rule === null ? {} : { rule }) }
  if (pending !== undefined) desk.journal.addCall(pending.id, call)
  return response
}

function pendingOf(c: Context, desk: Desk): Pending | undefined {
  const [id, token] = [c.req.param('id'), c.req.param('token') ?? '']
  return id === undefined ? desk.pending.findByToken(token) : desk.pending.find(id, token)
}

function answer(c: Context, desk: Desk, body: unknown): Response {
  const pending = pendingOf(c, desk)
  if (pending === undefined) throw unknownInteraction('no interaction has this id and token, or it is older than 15 minutes')
  if (pending.state === 'answered') throw acknowledged()
  if (pending.state === 'failed') throw unknownInteraction('the first answer did not come within 3 seconds, or was refused')
  const read = readAnswer(body, pending.kind)
  if (Array.isArray(read)) throw invalidForm(read)
  const outcome = desk.responder.apply(pending, read)
  pending.settle(outcome)
  if (outcome.kind === 'failed') throw invalidForm([outcome.because ?? ''])
  if (!['true', 'True', '1'].includes(c.req.query('with_response') ?? '')) return c.body(null, 204)
  return c.json(callbackResponse(pending, read.type, outcome))
}

function callbackResponse({ id, kind, spot, original: messageId }: Pending, type: number, { activity, message }: Outcome) {
  const guild = spot.kind === 'guild' ? { guild_id: spot.guild.id } : {}
  const written = {
    response_message_id: messageId,
    response_message_loading: ((message?.flags ?? 0) & loading) !== 0,
    response_message_ephemeral: ((message?.flags ?? 0) & ephemeral) !== 0,
  }
  const instance = activity === undefined ? {} : { activity_instance_id: activity.instanceId }
  const shows = type === callback.message || type === callback.update
  return {
    interaction: { id, type: kind, ...instance, ...(messageId === undefined ? {} : written), channel_id: spot.id, ...guild },
    resource: {
      type,
      ...(activity === undefined ? {} : { activity_instance: { id: activity.instanceId } }),
      ...(shows && message !== undefined ? { message } : {}),
    },
  }
}

interface Call {
  service: Service
  desk: Desk
  body: unknown
}

function followUp(c: Context, { service, desk, body }: Call): Response {
  const pending = answered(c, service, desk)
  const data = messageBody(body, { whole: true })
  if (pending.byUserOnly && pending.followUps >= followUpsOfUserApps)
    throw new Refusal({
      status: 400,
      code: 40_094,
      message: 'This interaction has reached the maximum number of follow-up messages',
      rule: `an application that only the player installed has ${followUpsOfUserApps} follow-ups`,
    })
  return c.json(desk.responder.followUp(pending, data))
}

function edit(c: Context, { service, desk, body }: Call): Response {
  const { message } = messageOf(c, service, desk)
  const edited = desk.messageStore.edit(message.id, contentOf(messageBody(body, { whole: false })))
  if (edited === undefined) throw unknownMessage('the message is gone')
  return c.json(edited)
}

/** @throws Refusal 404 */
function messageOf(c: Context, service: Service, desk: Desk): { pending: Pending; message: Message } {
  const pending = answered(c, service, desk)
  const named = c.req.param('message') ?? ''
  const message = desk.messageStore.find(named === original ? (pending.original ?? '') : named)
  const own = message?.interaction_metadata?.['id'] === pending.id || message?.id === pending.original
  if (message === undefined || !own)
    throw unknownMessage(named === original ? 'no message answers this interaction' : 'this interaction has no such message')
  return { pending, message }
}

/** The interaction of the token, once it has its first answer. */
function answered(c: Context, { seed }: Service, desk: Desk): Pending {
  const pending = pendingOf(c, desk)
  if (pending === undefined || c.req.param('application') !== seed.application.id)
    throw unknownInteraction('no interaction of this application has this token, or it is older than 15 minutes')
  if (pending.state !== 'answered') throw unknownInteraction('the interaction has no first answer')
  return pending
}

function messageBody(body: unknown, { whole }: { whole: boolean }): Record<string, unknown> {
  const data = fieldsOf(body)
  const problems = faultsOfMessage(data, { whole })
  if (problems.length > 0) throw invalidForm(problems.map((problem) => problem.replace(/^data\./, '')))
  return data
}

function invalidForm(problems: string[]): Refusal {
  return new Refusal({ status: 400, code: 50_035, message: 'Invalid Form Body', rule: problems.join('; ') })
}

function acknowledged(): Refusal {
  const rule = 'the interaction has its first answer already'
  return new Refusal({ status: 400, code: 40_060, message: 'Interaction has already been acknowledged.', rule })
}

function unknownInteraction(rule: string): Refusal {
  return new Refusal({ status: 404, code: 10_062, message: 'Unknown interaction', rule })
}

function unknownMessage(rule: string): Refusal {
  return new Refusal({ status: 404, code: 10_008, message: 'Unknown Message', rule })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal({ status: 400, code: 50_109, message: 'The request body contains invalid JSON.', rule: 'the body is no JSON' })
  }
}
