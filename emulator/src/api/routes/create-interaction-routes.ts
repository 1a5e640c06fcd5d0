/** Endpoints for a backend with an interaction's token: the first response, follow-ups and edits. */
import {
  ApiError,
  answerApiError,
  emptyMessage,
  entityTooLarge,
  notFound,
  refuseInvalidBody,
} from '../../check/api-error.js'
import { isEmptyMessage, messageErrors } from '../../check/check-message.js'
import { fieldsOf } from '../../foundation/values.js'
import { requireUploadable, type Attachments } from '../../service/interactions/attachments.js'
import {
  CALLBACK,
  EPHEMERAL,
  namesOf,
  readBackendResponse,
  type Files,
} from '../../service/interactions/backend-response.js'
import type { Outcome } from '../../service/interactions/interaction-controls.js'
import type { InteractionService } from '../../service/interactions/interaction-service.js'
import { LOADING, type Message } from '../../service/interactions/messages.js'
import type { Pending } from '../../service/interactions/pending-interactions.js'
import {
  LARGEST_UPLOAD,
  isMultipart,
  readUpload,
  type Upload,
} from '../../service/interactions/read-upload.js'
import type { SentMessage } from '../../service/interactions/sent-message.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { Hono, type Context } from 'hono'

const FOLLOW_UPS_OF_USER_APPS = 5
const ORIGINAL = '@original'

export function createInteractionRoutes(context: EmulatorContext, interactions: InteractionService): Hono {
  const routes = new Hono()
  routes.post('/interactions/:id/:token/callback', (c) =>
    logged(c, interactions, (sent) => answer(c, interactions, sent)),
  )
  routes.post('/webhooks/:application/:token', (c) =>
    logged(c, interactions, (sent) => followUp(c, { context, interactions, sent })),
  )
  const one = '/webhooks/:application/:token/messages/:message'
  routes.get(one, (c) => logged(c, interactions, () => c.json(messageOf(c, context, interactions).message)))
  routes.patch(one, (c) => logged(c, interactions, (sent) => edit(c, { context, interactions, sent })))
  routes.delete(one, (c) =>
    logged(c, interactions, () => {
      interactions.messageStore.delete(messageOf(c, context, interactions).message.id)
      return c.body(null, 204)
    }),
  )
  return routes
}

/** Logs each call with the interaction that it belongs to. */
async function logged(
  c: Context,
  interactions: InteractionService,
  run: (sent: Body) => Response,
): Promise<Response> {
  const pending = pendingOf(c, interactions)
  let text = ''
  let response: Response
  try {
    const upload = await readSent(c)
    text = upload.text
    response = run({ body: text === '' ? undefined : parse(text), files: upload.files })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    response = answerApiError(c, error)
  }
  const rule = response.headers.get('x-emulator-rule')
  const path = c.req.path.replace(c.req.param('token') ?? '', '[token]')
  const call = {
    method: c.req.method,
    path,
    status: response.status,
    body: text,
    ...(rule === null ? {} : { rule }),
  }
  if (pending !== undefined) interactions.deliveryLog.addCall(pending.id, call)
  return response
}

/** A body with its files. */
interface Body {
  body: unknown
  files: Files
}

/** @throws ApiError 400 or 413 */
async function readSent(c: Context): Promise<Upload> {
  if (c.req.method === 'GET' || c.req.method === 'DELETE') return { text: '', files: new Map() }
  if (Number(c.req.header('content-length') ?? 0) > LARGEST_UPLOAD)
    throw entityTooLarge('the body has more than 110 MiB')
  if (!isMultipart(c.req.header('content-type'))) return { text: await c.req.text(), files: new Map() }
  const upload = await readUpload(c.req.raw)
  if (upload === undefined) throw invalidForm('the body is no valid multipart')
  requireUploadable(upload.files)
  return upload
}

function pendingOf(c: Context, interactions: InteractionService): Pending | undefined {
  const [id, token] = [c.req.param('id'), c.req.param('token') ?? '']
  return id === undefined ? interactions.pending.findByToken(token) : interactions.pending.find(id, token)
}

function answer(c: Context, interactions: InteractionService, { body, files }: Body): Response {
  const pending = pendingOf(c, interactions)
  if (pending === undefined)
    throw unknownInteraction('no interaction has this id and token, or it is older than 15 minutes')
  if (pending.state === 'answered') throw acknowledged()
  if (pending.state === 'failed')
    throw unknownInteraction('the first answer did not come within 3 seconds, or was refused')
  const read = readBackendResponse(body, pending, files)
  const outcome = interactions.applier.apply(pending, read)
  pending.settle(outcome)
  if (outcome.kind === 'failed') throw invalidForm(outcome.because ?? '')
  if (!['true', 'True', '1'].includes(c.req.query('with_response') ?? '')) return c.body(null, 204)
  return c.json(callbackResponse(pending, read.type, outcome))
}

function callbackResponse(
  { id, kind, location, original: messageId }: Pending,
  type: number,
  { activity, message }: Outcome,
) {
  const guild = location.kind === 'guild' ? { guild_id: location.guild.id } : {}
  const written = {
    response_message_id: messageId,
    response_message_loading: ((message?.flags ?? 0) & LOADING) !== 0,
    response_message_ephemeral: ((message?.flags ?? 0) & EPHEMERAL) !== 0,
  }
  const instance = activity === undefined ? {} : { activity_instance_id: activity.instanceId }
  const shows = type === CALLBACK.message || type === CALLBACK.update
  return {
    interaction: {
      id,
      type: kind,
      ...instance,
      ...(messageId === undefined ? {} : written),
      channel_id: location.id,
      ...guild,
    },
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
  sent: Body
}

function followUp(c: Context, { context, interactions, sent }: Call): Response {
  const pending = answered(c, context, interactions)
  const message = newMessage(sent)
  if (pending.byUserOnly && pending.followUps >= FOLLOW_UPS_OF_USER_APPS)
    throw new ApiError({
      status: 400,
      code: 40_094,
      message: 'This interaction has reached the maximum number of follow-up messages',
      rule: `an application that only the player installed has ${FOLLOW_UPS_OF_USER_APPS} follow-ups`,
    })
  return c.json(interactions.applier.followUp(pending, message))
}

function edit(c: Context, { context, interactions, sent }: Call): Response {
  const { message } = messageOf(c, context, interactions)
  const edited = interactions.applier.edit(message, editOf(message, sent))
  if (edited === undefined) throw unknownMessage('the message is gone')
  return c.json(edited)
}

/** @throws ApiError 404 */
function messageOf(
  c: Context,
  context: EmulatorContext,
  interactions: InteractionService,
): { pending: Pending; message: Message } {
  const pending = answered(c, context, interactions)
  const named = c.req.param('message') ?? ''
  const message = interactions.messageStore.find(named === ORIGINAL ? (pending.original ?? '') : named)
  const own = message?.interaction_metadata?.['id'] === pending.id || message?.id === pending.original
  if (message === undefined || !own)
    throw unknownMessage(
      named === ORIGINAL ? 'no message answers this interaction' : 'this interaction has no such message',
    )
  return { pending, message }
}

/** Returns the interaction of the token, after its first response. @throws ApiError 404 */
function answered(c: Context, { seed }: EmulatorContext, interactions: InteractionService): Pending {
  const pending = pendingOf(c, interactions)
  if (pending === undefined || c.req.param('application') !== seed.application.id)
    throw unknownInteraction(
      'no interaction of this application has this token, or it is older than 15 minutes',
    )
  if (pending.state !== 'answered') throw unknownInteraction('the interaction has no first answer')
  return pending
}

/** @throws ApiError 400 */
function newMessage({ body, files }: Body): SentMessage {
  refuseInvalidBody(messageErrors(body ?? {}, { files: namesOf(files) }))
  if (isEmptyMessage(fieldsOf(body), files.size)) throw emptyMessage()
  return { data: fieldsOf(body), files }
}

/** @throws ApiError 400 */
function editOf(message: Message, { body, files }: Body): SentMessage {
  const attachments = message.attachments.map((item) => ({
    id: String(fieldsOf(item)['id']),
    filename: String(fieldsOf(item)['filename']),
  }))
  refuseInvalidBody(
    messageErrors(body ?? {}, { files: namesOf(files), edits: { attachments, flags: message.flags } }),
  )
  const { poll } = fieldsOf(body)
  if (poll !== undefined && poll !== null && (message.flags & LOADING) === 0)
    throw invalidForm('poll can be added only by the edit that completes a deferred response')
  return { data: fieldsOf(body), files }
}

function invalidForm(rule: string): ApiError {
  return new ApiError({ status: 400, code: 50_035, message: 'Invalid Form Body', rule })
}

function acknowledged(): ApiError {
  const rule = 'the interaction has its first answer already'
  return new ApiError({
    status: 400,
    code: 40_060,
    message: 'Interaction has already been acknowledged.',
    rule,
  })
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
    throw new ApiError({
      status: 400,
      code: 50_109,
      message: 'The request body contains invalid JSON.',
      rule: 'the body is no JSON',
    })
  }
}

/** A file may be an HTML document: serve it as a download, and sandbox it (without an origin) if it is opened anyway. */
const HEADERS = {
  'Content-Disposition': 'attachment',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
}

export function createAttachmentRoutes(attachments: Attachments): Hono {
  const routes = new Hono()
  routes.get('/attachments/:channel/:id/:filename', (c) => {
    const { channel, id, filename } = c.req.param()
    const file = attachments.find(id)
    if (file === undefined || file.channelId !== channel || file.filename !== filename) return notFound(c)
    return c.body(new Uint8Array(file.bytes), 200, { ...HEADERS, 'Content-Type': file.contentType })
  })
  return routes
}
