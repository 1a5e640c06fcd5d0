/** Files of ATTACHMENT options, forms and messages, in memory. */
import { fieldsOf, isObject, textOf } from '../../foundation/values.js'
import { entityTooLarge } from '../../check/api-error.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Snowflakes } from '../../state/snowflakes.js'

export interface StoredFile {
  id: string
  channelId: string
  filename: string
  contentType: string
  bytes: Buffer
  /** True for a file that a player sent. */
  ephemeral: boolean
}

/** `attachment_size_limit` of interactions, in bytes. */
export const LARGEST_FILE = 10_485_760
const CAPACITY = 100
const MAX_FILES = 10
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
const CONTENT_TYPES = /^[\w.+-]+\/[\w.+-]+$/

export class Attachments {
  readonly #context: EmulatorContext
  readonly #snowflakes: Snowflakes
  readonly #files = new Map<string, StoredFile>()

  constructor(context: EmulatorContext, snowflakes: Snowflakes) {
    this.#context = context
    this.#snowflakes = snowflakes
  }

  /** Stores a file and returns its id; undefined if the value is no file, or not of an accepted type. */
  add(
    value: unknown,
    { channelId, fileTypes }: { channelId: string; fileTypes: string[] | undefined },
  ): string | undefined {
    const file = readFile(value)
    return file === undefined || !isAccepted(file, fileTypes)
      ? undefined
      : this.keep(file, channelId, { ephemeral: true })
  }

  /** Stores a file of a message and returns its id. */
  keep(
    file: Pick<StoredFile, 'filename' | 'contentType' | 'bytes'>,
    channelId: string,
    { ephemeral = false } = {},
  ): string {
    const id = this.#snowflakes.next(this.#context.clock.now())
    this.#files.set(id, { ...file, id, channelId, ephemeral })
    for (const oldest of [...this.#files.keys()].slice(0, -CAPACITY)) this.#files.delete(oldest)
    return id
  }

  find(id: string): StoredFile | undefined {
    return this.#files.get(id)
  }

  /** The attachment object of a stored file. */
  payload(id: string): Record<string, unknown> {
    const { channelId, filename, contentType, bytes, ephemeral } = this.#files.get(id) ?? {}
    const url = `${this.#context.url}/attachments/${channelId}/${id}/${encodeURIComponent(filename ?? '')}`
    return {
      id,
      filename,
      size: bytes?.length,
      url,
      proxy_url: url,
      content_type: contentType,
      ...(ephemeral === true && { ephemeral }),
    }
  }

  clear(): void {
    this.#files.clear()
  }
}

/** @throws ApiError 413 for a file that is too large. */
export function requireUploadable(files: ReadonlyMap<number, Pick<StoredFile, 'bytes'>>): void {
  if (files.size > MAX_FILES) throw entityTooLarge(`a message has at most ${MAX_FILES} files`)
  for (const [index, { bytes }] of files)
    if (bytes.length > LARGEST_FILE) throw entityTooLarge(`files[${index}] has more than 10 MiB`)
}

function readFile(value: unknown): Pick<StoredFile, 'filename' | 'contentType' | 'bytes'> | undefined {
  if (!isObject(value)) return undefined
  const { filename, content_type: contentType = 'application/octet-stream', data = '' } = fieldsOf(value)
  const [name, type, text] = [textOf(filename), textOf(contentType), textOf(data)]
  if (name === undefined || name === '' || name.length > 255 || /[/\\]|\p{Cc}|\p{Cs}/u.test(name))
    return undefined
  if (type === undefined || !CONTENT_TYPES.test(type) || text === undefined || !BASE64.test(text))
    return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > LARGEST_FILE ? undefined : { filename: name, contentType: type, bytes }
}

/** Each entry of `types` is a media type (`image`, `video`, `audio`) or an extension with its dot. */
function isAccepted(
  { filename, contentType }: Pick<StoredFile, 'filename' | 'contentType'>,
  types: string[] = [],
): boolean {
  if (types.length === 0) return true
  return types.some((type) =>
    type.startsWith('.')
      ? filename.toLowerCase().endsWith(type.toLowerCase())
      : contentType.startsWith(`${type}/`),
  )
}
