/** Endpoints for pictures and links that a player shares from an Activity. */
import { Hono, type Context } from 'hono'
import { ApiError, entityTooLarge, unauthorized } from '../../check/api-error.js'
import { object, optional, text, type Schema } from '../../check/schema.js'
import { problem } from '../../check/problems.js'
import type { ActivityService } from '../../service/activity/activity-service.js'
import { type Attachments, LARGEST_FILE } from '../../service/interactions/attachments.js'
import { isMultipart } from '../../service/interactions/read-upload.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { ApiRoutes } from '../request/api-routes.js'
import { checkApplication, requireCaller } from '../request/caller.js'

const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/
const NAME = /^[^/\\\p{Cc}\p{Cs}]{1,255}$/u

/** The form around the file, in bytes. */
const FORM = 10_240

const WRONG_IMAGE = problem(
  'BASE_TYPE_INVALID',
  'Invalid image data.',
  'must be a data: address of a PNG, JPEG, GIF or WebP picture, in base64, of at most 10 MiB',
)
/** A picture as an address of type `data:`. */
const dataImage: Schema<string> = {
  check(value, at) {
    if (typeof value !== 'string' || pictureIn(value) === undefined) at.add(WRONG_IMAGE)
  },
}
/** Lengths of title and description are assumed. */
const linkBody = object({
  title: text({ least: 1, most: 256 }),
  description: text({ least: 1, most: 1000 }),
  image: dataImage,
  custom_id: optional(text({ most: 64 })),
})

interface Sharing {
  attachments: Attachments
  activity: ActivityService
}

export function createSharingRoutes(context: EmulatorContext, { attachments, activity }: Sharing): Hono {
  const routes = new Hono()
  const requireSender = (c: Context) => {
    if (requireCaller(c).kind !== 'player')
      throw unauthorized('this is for players: the token must be "Bearer <access token>"')
    checkApplication(c.req.param('application') ?? '', context)
  }
  for (const path of ['/applications/:application/attachment', '/applications/:application/attachment/'])
    routes.post(path, async (c) => {
      requireSender(c)
      const picture = await readPicture(c)
      // It belongs to no channel before it is shared.
      const id = attachments.keep(picture, context.seed.application.id, { ephemeral: true })
      return c.json({ attachment: attachments.payload(id) })
    })
  const links = new ApiRoutes()
  for (const path of ['/applications/:application/quick-links', '/applications/:application/quick-links/'])
    links.with('POST', path, { schema: () => linkBody }, async (c, body) => {
      requireSender(c)
      const { image, custom_id: customId, ...texts } = await body.read()
      const picture = pictureIn(image) ?? { contentType: '', bytes: Buffer.alloc(0) }
      const filename = `link.${picture.contentType.slice('image/'.length)}`
      const id = attachments.keep({ filename, ...picture }, context.seed.application.id, { ephemeral: true })
      const url = String(attachments.payload(id)['url'])
      return c.json({ link_id: activity.host.stores.quickLinks.add({ ...texts, image: url, customId }).id })
    })
  routes.route('/', links.hono)
  return routes
}

/** Undefined for anything but a picture of a size that is accepted. */
function pictureIn(address: string): { contentType: string; bytes: Buffer } | undefined {
  const { type, end } =
    /^data:(?<type>image\/(?:png|jpeg|gif|webp));base64,(?<end>.)/.exec(address)?.groups ?? {}
  if (type === undefined || end === undefined) return undefined
  const bytes = Buffer.from(address.slice(`data:${type};base64,`.length), 'base64')
  return bytes.length === 0 || bytes.length > LARGEST_FILE ? undefined : { contentType: type, bytes }
}

/** @throws ApiError 400, 413 */
async function readPicture(c: Context): Promise<{ filename: string; contentType: string; bytes: Buffer }> {
  if (!isMultipart(c.req.header('content-type'))) throw invalidForm('the body is no multipart form')
  if (Number(c.req.header('content-length') ?? 0) > LARGEST_FILE + FORM) throw tooLarge()
  const form = await c.req.raw.formData().catch(() => undefined)
  const file = form?.get('file')
  if (file === undefined || file === null || typeof file === 'string')
    throw invalidForm('the form has no file with the name "file"')
  if (!IMAGE.test(file.type)) throw invalidForm('file must be a picture: PNG, JPEG, GIF or WebP')
  if (!NAME.test(file.name)) throw invalidForm('the name of the file is empty, too long, or has a slash')
  if (file.size > LARGEST_FILE) throw tooLarge()
  return { filename: file.name, contentType: file.type, bytes: Buffer.from(await file.arrayBuffer()) }
}

const tooLarge = () => entityTooLarge('file has more than 10 MiB')

const invalidForm = (rule: string) =>
  new ApiError({ status: 400, code: 50_035, message: 'Invalid Form Body', rule })
