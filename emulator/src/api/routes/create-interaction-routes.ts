/** Endpoints for a backend with an interaction's token: the first response, follow-ups and edits. */
import { ApiError, answerApiError, emptyMessage, entityTooLarge, notFound } from '../../check/api-error.js'
import { isEmptyMessage, messageBody, type KnownFiles } from '../../check/check-message.js'
import { fieldsOf } from '../../foundation/values.js'
import { requireUploadable, type Attachments } from '../../service/interactions/attachments.js'
import {
  CALLBACK,
  EPHEMERAL,
  namesOf,
  responseBody,
  type ValidResponse,
  type Answered,
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
import { ApiRoutes, type BodyOf } from '../request/api-routes.js'
import { checkId, readFlag, readText } from '../request/read-json.js'
import { Hono, type Context } from 'hono'

const FOLLOW_UPS_OF_USER_APPS = 5
const ORIGINAL = '@original'

export function createInteractionRoutes(
  context: EmulatorContext,
  interactions: InteractionService,
): ApiRoutes {
  const routes = new ApiRoutes()
  const parts = { context, interactions }
  const message = { schema: (known: KnownFiles) => messageBody(known) }
  const response = { schema: (about: Answered) => responseBody(about) }
  const one = '/webhooks/:application/:token/messages/:message'
  for (const path of ['/webhooks/:application/:token', one])
    routes.hono.use(path, async (c, next) => {
      checkQuery(c)
      await next()
    })
  routes.with('POST', '/interactions/:id/:token/callback', response, (c, body) =>
    logged(c, interactions, (sent) => answer(c, body, { ...parts, sent })),
  )
  routes.with('POST', '/webhooks/:application/:token', message, (c, body) =>
    logged(c, interactions, (sent) => followUp(c, body, { ...parts, sent })),
  )
  routes.get(one, (c) => logged(c, interactions, () => c.json(messageOf(c, context, interactions).message)))
  routes.with('PATCH', one, message, (c, body) =>
    logged(c, interactions, (sent) => edit(c, body, { ...parts, sent })),
  )
  routes.bare('DELETE', one, (c) =>
    logged(c, interactions, () => {
      interactions.messageStore.delete(messageOf(c, context, interactions).message.id)
      return c.body(null, 204)
    }),
  )
  return routes
}

/** Parameters that change nothing here must be right all the same. @throws ApiError 400 */
function checkQuery(c: Context): void {
  const thread = c.req.query('thread_id')
  if (thread !== undefined) checkId(thread, 'thread_id')
  for (const name of ['wait', 'with_components']) readFlag(c, name)
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
    const upload = await readSent(c, pending)
    text = upload.text
    response = run({ body: text === '' ? {} : parse(text), files: upload.files })
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
async function readSent(c: Context, pending: Pending | undefined): Promise<Upload> {
  if (c.req.method === 'GET' || c.req.method === 'DELETE') return { text: '', files: new Map() }
  // Files are for those who have the token of an interaction.
  if (pending === undefined || !isMultipart(c.req.header('content-type')))
    return { text: await readText(c), files: new Map() }
  if (Number(c.req.header('content-length') ?? 0) > LARGEST_UPLOAD)
    throw entityTooLarge('the body has more than 110 MiB')
  const upload = await readUpload(c.req.raw)
  if (upload === undefined) throw invalidForm('the body is no valid multipart')
  requireUploadable(upload.files)
  return upload
}

function pendingOf(c: Context, interactions: InteractionService): Pending | undefined {
  const [id, token] = [c.req.param('id'), c.req.param('token') ?? '']
  return id === undefined ? interactions.pending.findByToken(token) : interactions.pending.find(id, token)
}

function answer(c: Context, body: BodyOf<ValidResponse, Answered>, { interactions, sent }: Call): Response {
  const pending = pendingOf(c, interactions)
  if (pending === undefined)
    throw unknownInteraction('no interaction has this id and token, or it is older than 15 minutes')
  if (pending.state === 'answered') throw acknowledged()
  if (pending.state === 'failed')
    throw unknownInteraction('the first answer did not come within 3 seconds, or was refused')
  const { files } = sent
  const { type, data } = body.accept(sent.body, { ...pending, files })
  if (type === CALLBACK.message && isEmptyMessage(fieldsOf(data), files.size)) throw emptyMessage()
  const isAsked = readFlag(c, 'with_response')
  const outcome = interactions.applier.apply(pending, { type, data: fieldsOf(data), files })
  pending.settle(outcome)
  if (outcome.kind === 'failed') throw invalidForm(outcome.because ?? '')
  if (!isAsked) return c.body(null, 204)
  return c.json(callbackResponse(pending, type, outcome))
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

function followUp(
  c: Context,
  body: BodyOf<unknown, KnownFiles>,
  { context, interactions, sent }: Call,
): Response {
  const pending = answered(c, context, interactions)
  const message = newMessage(body, sent)
  if (pending.byUserOnly && pending.followUps >= FOLLOW_UPS_OF_USER_APPS)
    throw new ApiError({
      status: 400,
      code: 40_094,
      message: 'This interaction has reached the maximum number of follow-up messages',
      rule: `an application that only the player installed has ${FOLLOW_UPS_OF_USER_APPS} follow-ups`,
    })
  return c.json(interactions.applier.followUp(pending, message))
}

function edit(
  c: Context,
  body: BodyOf<unknown, KnownFiles>,
  { context, interactions, sent }: Call,
): Response {
  const { message } = messageOf(c, context, interactions)
  const edited = interactions.applier.edit(message, editOf(message, body, sent))
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
function newMessage(body: BodyOf<unknown, KnownFiles>, sent: Body): SentMessage {
  const { files } = sent
  const data = fieldsOf(body.accept(sent.body, { files: namesOf(files) }))
  if (isEmptyMessage(data, files.size)) throw emptyMessage()
  return { data, files }
}

/** @throws ApiError 400 */
function editOf(message: Message, body: BodyOf<unknown, KnownFiles>, sent: Body): SentMessage {
  const attachments = message.attachments.map((item) => ({
    id: String(fieldsOf(item)['id']),
    filename: String(fieldsOf(item)['filename']),
  }))
  const { files } = sent
  const edits = { attachments, flags: message.flags }
  const data = fieldsOf(body.accept(sent.body, { files: namesOf(files), edits }))
  const { poll } = data
  if (poll !== undefined && poll !== null && (message.flags & LOADING) === 0)
    throw invalidForm('poll can be added only by the edit that completes a deferred response')
  return { data, files }
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
