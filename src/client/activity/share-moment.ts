/** Shares a picture of the game: the service keeps it, and the host window shows the channels to send it in. */
import { randomText } from '../../shared/foundation/crypto'
import { ConfigurationError } from '../../shared/foundation/errors'
import { isRecord } from '../../shared/foundation/untrusted-values'

/** A canvas of a page. */
export interface MomentCanvas {
  toBlob(callback: (picture: Blob | null) => void): void
}

/** A canvas without a page. */
export interface OffscreenMomentCanvas {
  convertToBlob(): Promise<Blob>
}

/** A picture to share: a canvas, or a PNG, JPEG, GIF or WebP file. */
export type Moment = MomentCanvas | OffscreenMomentCanvas | Blob

/** A multipart form (RFC 7578) with the picture. */
export interface MomentForm {
  readonly contentType: string
  readonly content: Uint8Array<ArrayBuffer>
}

/** Bytes that the service takes. */
const LARGEST = 10 * 1024 * 1024
const TYPES = /^image\/(png|jpeg|gif|webp)$/

/** @throws ConfigurationError `tainted_canvas`, `invalid_argument`. */
export async function momentForm(moment: Moment): Promise<MomentForm> {
  const kinds = 'Give a canvas, or a PNG, JPEG, GIF or WebP file'
  if (!isRecord(moment)) throw invalid(kinds)
  const picture = await pictureOf(moment)
  const [type, extension] = TYPES.exec(picture.type) ?? []
  if (type === undefined) throw invalid(kinds)
  if (picture.size > LARGEST) throw invalid('Give at most 10 MiB: a smaller picture, or a JPEG')
  const boundary = randomText()
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="moment.${extension}"\r\ncontent-type: ${type}\r\n\r\n`
  const form = new Blob([head, picture, `\r\n--${boundary}--\r\n`])
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: new Uint8Array(await form.arrayBuffer()),
  }
}

async function pictureOf(moment: Moment): Promise<Blob> {
  if ('arrayBuffer' in moment) return moment
  try {
    if ('convertToBlob' in moment) return await moment.convertToBlob()
    const picture = await new Promise<Blob | null>((resolve) => moment.toBlob(resolve))
    if (picture) return picture
  } catch (cause) {
    // The one error that a canvas has for pictures of other sites.
    if (cause instanceof Error && cause.name === 'SecurityError')
      throw new ConfigurationError('tainted_canvas', 'moment', {
        cause,
        remedy: 'Draw pictures of the own address only, or load them with crossOrigin',
      })
    throw cause
  }
  throw invalid('The canvas holds no picture: it has no width or height, or is too large')
}

const invalid = (remedy: string) => new ConfigurationError('invalid_argument', 'moment', { remedy })
