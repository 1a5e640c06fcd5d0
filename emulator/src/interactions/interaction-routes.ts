/** Endpoints for a backend with an interaction's token: the first response, follow-ups and edits. */
import { Hono, type Context } from 'hono'
import { answerApiError, ApiError } from '../api/api-error.js'
import { fieldsOf } from '../foundation/type-guards.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import { callback, ephemeral, faultsOfMessage, readBackendResponse } from './backend-response.js'
import type { Outcome } from './interaction-control-types.js'
import type { InteractionService } from './perform-player-actions.js'
import { loading, type Message } from './channel-message-store.js'
import type { Pending } from './open-interactions.js'
import { contentOf } from './apply-backend-response.js'

const followUpsOfUserApps = 5
const original = '@original'

export function createInteractionRoutes(context: EmulatorContext, interactions: InteractionService): Hono {
  const routes = new Hono()
  routes.post('/interactions/:id/:token/callback', (c) => logged(c, interactions, (body) => answer(c, interactions, body)))
  routes.post('/webhooks/:application/:token', (c) => logged(c, interactions, (body) => followUp(c, { context, interactions, body })))
  const one = '/webhooks/:application/:token/messages/:message'
  routes.get(one, (c) => logged(c, interactions, () => c.json(messageOf(c, context, interactions).message)))
  routes.patch(one, (c) => logged(c, interactions, (body) => edit(c, { context, interactions, body })))
  routes.delete(one, (c) =>
    logged(c, interactions, () => {
      interactions.messageStore.delete(messageOf(c, context, interactions).message.id)
      return c.body(null, 204)
    }),
  )
  return routes
}

/** Logs each call with the interaction that it belongs to. */
async function logged(c: Context, interactions: InteractionService, run: (body: unknown) => Response): Promise<Response> {
  const text = c.req.method === 'GET' || c.req.method === 'DELETE' ? '' : await c.req.text()
  const pending = pendingOf(c, interactions)
  let response: Response
  try {
    response = run(text === '' ? undefined : parse(text))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    response = answerApiError(c, error)
  }
  const rule = response.headers.get('x-emulator-rule')
  const path = c.req.path.replace(c.req.param('token') ?? '', '[token]')
  const call = { method: c.req.method, path, status: response.status, body: text, ...(rule === null ? {} : { rule }) }
  if (pending !== undefined) interactions.deliveryLog.addCall(pending.id, call)
  return response
}

function pendingOf(c: Context, interactions: InteractionService): Pending | undefined {
  const [id, token] = [c.req.param('id'), c.req.param('token') ?? '']
  return id === undefined ? interactions.pending.findByToken(token) : interactions.pending.find(id, token)
}

function answer(c: Context, interactions: InteractionService, body: unknown): Response {
  const pending = pendingOf(c, interactions)
  if (pending === undefined) throw unknownInteraction('no interaction has this id and token, or it is older than 15 minutes')
  if (pending.state === 'answered') throw acknowledged()
  if (pending.state === 'failed') throw unknownInteraction('the first answer did not come within 3 seconds, or was refused')
  const read = readBackendResponse(body, pending)
  if (Array.isArray(read)) throw invalidForm(read)
  const outcome = interactions.applier.apply(pending, read)
  pending.settle(outcome)
  if (outcome.kind === 'failed') throw invalidForm([outcome.because ?? ''])
  if (!['true', 'True', '1'].includes(c.req.query('with_response') ?? '')) return c.body(null, 204)
  return c.json(callbackResponse(pending, read.type, outcome))
}

function callbackResponse({ id, kind, location, original: messageId }: Pending, type: number, { activity, message }: Outcome) {
  const guild = location.kind === 'guild' ? { guild_id: location.guild.id } : {}
  const written = {
    response_message_id: messageId,
    response_message_loading: ((message?.flags ?? 0) & loading) !== 0,
    response_message_ephemeral: ((message?.flags ?? 0) & ephemeral) !== 0,
  }
  const instance = activity === undefined ? {} : { activity_instance_id: activity.instanceId }
  const shows = type === callback.message || type === callback.update
  return {
    interaction: { id, type: kind, ...instance, ...(messageId === undefined ? {} : written), channel_id: location.id, ...guild },
    resource: {
      type,
      ...(activity === undefined ? {} : { activity_instance: { id: activity.instanceId } }),
      ...(shows && message !== undefined ? { message } : {}),
    },
  }
}

interface Call {
  context: EmulatorContext
  interactions: InteractionService
  body: unknown
}

function followUp(c: Context, { context, interactions, body }: Call): Response {
  const pending = answered(c, context, interactions)
  const data = messageBody(body, { whole: true })
  if (pending.byUserOnly && pending.followUps >= followUpsOfUserApps)
    throw new ApiError({
      status: 400,
      code: 40_094,
      message: 'This interaction has reached the maximum number of follow-up messages',
      rule: `an application that only the player installed has ${followUpsOfUserApps} follow-ups`,
    })
  return c.json(interactions.applier.followUp(pending, data))
}

function edit(c: Context, { context, interactions, body }: Call): Response {
  const { message } = messageOf(c, context, interactions)
  const edited = interactions.messageStore.edit(message.id, contentOf(messageBody(body, { whole: false })))
  if (edited === undefined) throw unknownMessage('the message is gone')
  return c.json(edited)
}

/** @throws ApiError 404 */
function messageOf(c: Context, context: EmulatorContext, interactions: InteractionService): { pending: Pending; message: Message } {
  const pending = answered(c, context, interactions)
  const named = c.req.param('message') ?? ''
  const message = interactions.messageStore.find(named === original ? (pending.original ?? '') : named)
  const own = message?.interaction_metadata?.['id'] === pending.id || message?.id === pending.original
  if (message === undefined || !own)
    throw unknownMessage(named === original ? 'no message answers this interaction' : 'this interaction has no such message')
  return { pending, message }
}

/** Returns the interaction of the token, after its first response. @throws ApiError 404 */
function answered(c: Context, { seed }: EmulatorContext, interactions: InteractionService): Pending {
  const pending = pendingOf(c, interactions)
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

function invalidForm(problems: string[]): ApiError {
  return new ApiError({ status: 400, code: 50_035, message: 'Invalid Form Body', rule: problems.join('; ') })
}

function acknowledged(): ApiError {
  const rule = 'the interaction has its first answer already'
  return new ApiError({ status: 400, code: 40_060, message: 'Interaction has already been acknowledged.', rule })
}

function unknownInteraction(rule: string): ApiError {
  return new ApiError({ status: 404, code: 10_062, message: 'Unknown interaction', rule })
}

function unknownMessage(rule: string): ApiError {
  return new ApiError({ status: 404, code: 10_008, message: 'Unknown Message', rule })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError({ status: 400, code: 50_109, message: 'The request body contains invalid JSON.', rule: 'the body is no JSON' })
  }
}
