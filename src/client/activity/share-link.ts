/** Shares a link that has a picture and texts of its own: the service keeps both, and the host window shows the channels to send it in. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { collectIssues, IssueList, type Shape, checkObject, text } from '../../shared/foundation/rules'
import { ownFields } from '../../shared/foundation/untrusted-values'
import { checkResponse, type FieldRule, TEXT } from '../../shared/http/check-response'
import { CheckedBody } from '../../shared/http/checked-body'
import { type Moment, readPicture } from './share-moment'

/** Link into the Activity that a player shares. */
export interface SharedLink {
  /** Text of the message, 1 to 1000 characters. */
  message: string
  /** Reaches the game that is launched by the link as `launch.customId`, at most 64 characters. Default: none. */
  customId?: string | undefined
  /** Title of the link, 1 to 256 characters (_assumed_). With it, `description` and `image` are required. Default: that of the application. */
  title?: string | undefined
  /** Text below the title, 1 to 1000 characters (_assumed_). Default: that of the application. */
  description?: string | undefined
  /** Picture of the link, of 43 to 24: a canvas, or a PNG, JPEG, GIF or WebP file of at most 10 MiB. Default: that of the application. */
  image?: Moment | undefined
  /** Link that was created before, in place of `title`, `description` and `image`. At most 64 characters. Default: none. */
  linkId?: string | undefined
}

const TEXTS = {
  required: 'is required',
  wrong_type: 'must be {expected}',
  length: 'must have {min} to {max} characters, has {actual}',
  unknown_field: 'is not known{hint}',
  unreadable: 'must be readable',
} as const

const LINK: Shape = {
  message: { is: text, required: true, min: 1, max: 1000 },
  customId: { is: text, max: 64 },
  linkId: { is: text, min: 1, max: 64 },
}
const PREVIEW: Shape = {
  title: { is: text, required: true, min: 1, max: 256 },
  description: { is: text, required: true, min: 1, max: 1000 },
  custom_id: { is: text, max: 64 },
  image: { is: text, required: true, expected: 'a canvas or a picture' },
}
/** Bytes that are encoded at once: a call takes a limited number of arguments. Divisible by 3. */
const PART = 24_576

/** The part of a link that the host window takes. */
export type HostLink = Pick<SharedLink, 'message' | 'customId' | 'linkId'>

/** Divides a link into the part for the host window, and the one that the service keeps; null for a link without one. @throws ValidationError, ConfigurationError. */
export async function readLink(given: SharedLink): Promise<{ link: HostLink; preview: CheckedBody | null }> {
  const { title, description, image, ...rest } = ownFields({ ...given })
  const link = CheckedBody.of<HostLink>(rest, { check: issuesOf(LINK), code: 'invalid_argument' }).value
  if (title === undefined && description === undefined && image === undefined) return { link, preview: null }
  if (link.linkId !== undefined)
    throw new ConfigurationError('invalid_argument', 'linkId', {
      remedy: 'Give linkId, or title, description and image',
    })
  const quick = {
    title,
    description,
    ...(image !== undefined && { image: await dataAddress(await readPicture(image, 'image')) }),
    ...(link.customId !== undefined && { custom_id: link.customId }),
  }
  return { link, preview: CheckedBody.of(quick, { check: issuesOf(PREVIEW), code: 'invalid_argument' }) }
}

const issuesOf = (shape: Shape) => (given: unknown) =>
  collectIssues(new IssueList(TEXTS), (at) => void checkObject(given, shape, at))

/** An address of type `data:`. */
async function dataAddress(picture: Blob): Promise<string> {
  const bytes = new Uint8Array(await picture.arrayBuffer())
  let encoded = ''
  for (let start = 0; start < bytes.length; start += PART)
    encoded += btoa(String.fromCharCode(...bytes.subarray(start, start + PART)))
  return `data:${picture.type};base64,${encoded}`
}

const CREATED: FieldRule<{ link_id: string }> = { fields: { link_id: TEXT } }

/** Id of a link that the service has created. @throws ProtocolError `malformed_response`. */
export const linkIdOf = (body: unknown, route: string): string => checkResponse(body, route, CREATED).link_id
