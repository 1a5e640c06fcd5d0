/** Endpoint for pictures that a player shares from an Activity. */
import { Hono, type Context } from 'hono'
import { ApiError, entityTooLarge, unauthorized } from '../../check/api-error.js'
import { type Attachments, LARGEST_FILE } from '../../service/interactions/attachments.js'
import { isMultipart } from '../../service/interactions/read-upload.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { checkApplication, requireCaller } from '../request/caller.js'

const IMAGE = /^image\/(?:png|jpeg|gif|webp)$/
const NAME = /^[^/\\\p{Cc}\p{Cs}]{1,255}$/u

/** The form around the file, in bytes. */
const FORM = 10_240

export function createSharingRoutes(context: EmulatorContext, attachments: Attachments): Hono {
  const routes = new Hono()
  for (const path of ['/applications/:application/attachment', '/applications/:application/attachment/'])
    routes.post(path, async (c) => {
      if (requireCaller(c).kind !== 'player')
        throw unauthorized('this is for players: the token must be "Bearer <access token>"')
      checkApplication(c.req.param('application') ?? '', context)
      const picture = await readPicture(c)
      // It belongs to no channel before it is shared.
      const id = attachments.keep(picture, context.seed.application.id, { ephemeral: true })
      return c.json({ attachment: attachments.payload(id) })
    })
  return routes
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
