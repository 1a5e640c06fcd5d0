/** Shares a picture of the game: the service keeps it, and the host window shows the channels to send it in. */
import { randomText } from '../../shared/foundation/crypto'
import { ConfigurationError } from '../../shared/foundation/errors'
import { isRecord } from '../../shared/foundation/untrusted-values'

/** A canvas of a page. */
export interface MomentCanvas {
  toBlob(callback: (picture: Blob | null) => void): void
}

/** A picture to share: a canvas, or a PNG, JPEG, GIF or WebP file. */
export type Moment = MomentCanvas | Blob

/** A multipart form (RFC 7578) with the picture. */
export interface MomentForm {
  readonly contentType: string
  readonly content: Uint8Array<ArrayBuffer>
}

/** Bytes that the service takes. */
const LARGEST = 10_485_760
const TYPES = /^image\/(?:png|jpeg|gif|webp)$/

/** @throws ConfigurationError `tainted_canvas`, `invalid_argument`. */
export async function momentForm(moment: Moment): Promise<MomentForm> {
  const picture = await readPicture(moment, 'moment')
  // WebKit cannot read a form that has a file.
  const boundary = `foyer-${randomText()}`
  const { type } = picture
  const name = `moment.${type.slice('image/'.length)}`
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`
  const form = new Blob([head, picture, `\r\n--${boundary}--\r\n`])
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: new Uint8Array(await form.arrayBuffer()),
  }
}

/** The file of a picture. @param name of the argument, for an error. @throws ConfigurationError `tainted_canvas`, `invalid_argument`. */
export async function readPicture(moment: Moment, name: string): Promise<Blob> {
  const picture = isCanvas(moment) ? await pictureOf(moment, name) : moment
  if (picture && TYPES.test(picture.type) && picture.size <= LARGEST) return picture
  throw new ConfigurationError('invalid_argument', name, {
    remedy: 'Give a canvas, or a PNG, JPEG, GIF or WebP file, of at most 10 MiB',
  })
}

const isCanvas = (moment: Moment): moment is MomentCanvas => isRecord(moment) && 'toBlob' in moment

async function pictureOf(canvas: MomentCanvas, name: string): Promise<Blob | null> {
  try {
    return await new Promise((resolve) => canvas.toBlob(resolve))
  } catch (cause) {
    // Only for pixels that no page may read.
    throw new ConfigurationError('tainted_canvas', name, { cause })
  }
}
