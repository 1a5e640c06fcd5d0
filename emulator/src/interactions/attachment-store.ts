/** Files of ATTACHMENT options, in memory. */
import type { Option } from '../model/stored-command.js'
import { fieldsOf, isObject, textOf } from '../foundation/type-guards.js'
import type { EmulatorContext } from '../context/emulator-context.js'
import type { Snowflakes } from '../state/snowflakes.js'

export interface StoredFile {
  id: string
  channelId: string
  filename: string
  contentType: string
  bytes: Buffer
}

/** `attachment_size_limit` of interactions, in bytes. */
export const largestFile = 10_485_760
const capacity = 100
const base64 = /^[A-Za-z0-9+/]*={0,2}$/
const contentTypes = /^[\w.+-]+\/[\w.+-]+$/

export class Attachments {
  readonly #context: EmulatorContext
  readonly #snowflakes: Snowflakes
  readonly #files = new Map<string, StoredFile>()

  constructor(context: EmulatorContext, snowflakes: Snowflakes) {
    this.#context = context
    this.#snowflakes = snowflakes
  }

  /** Stores a file and returns its id; undefined if the value is no file, or not of an accepted type. */
  add(value: unknown, { channelId, option }: { channelId: string; option?: Option }): string | undefined {
    const file = readFile(value)
    if (file === undefined || !isAccepted(file, option?.file_types)) return undefined
    const id = this.#snowflakes.next(this.#context.clock.now())
    this.#files.set(id, { ...file, id, channelId })
    for (const oldest of [...this.#files.keys()].slice(0, -capacity)) this.#files.delete(oldest)
    return id
  }

  find(id: string): StoredFile | undefined {
    return this.#files.get(id)
  }

  /** The attachment object of a stored file. */
  payload(id: string): Record<string, unknown> {
    const { channelId, filename, contentType, bytes } = this.#files.get(id) ?? {}
    const url = `${this.#context.url}/attachments/${channelId}/${id}/${encodeURIComponent(filename ?? '')}`
    return { id, filename, size: bytes?.length, url, proxy_url: url, content_type: contentType, ephemeral: true }
  }

  clear(): void {
    this.#files.clear()
  }
}

function readFile(value: unknown): Pick<StoredFile, 'filename' | 'contentType' | 'bytes'> | undefined {
  if (!isObject(value)) return undefined
  const { filename, content_type: contentType = 'application/octet-stream', data = '' } = fieldsOf(value)
  const [name, type, text] = [textOf(filename), textOf(contentType), textOf(data)]
  if (name === undefined || name === '' || name.length > 255 || /[/\\]|\p{Cc}|\p{Cs}/u.test(name)) return undefined
  if (type === undefined || !contentTypes.test(type) || text === undefined || !base64.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > largestFile ? undefined : { filename: name, contentType: type, bytes }
}

/** Each entry of `types` is a media type (`image`, `video`, `audio`) or an extension with its dot. */
function isAccepted({ filename, contentType }: Pick<StoredFile, 'filename' | 'contentType'>, types: string[] = []): boolean {
  if (types.length === 0) return true
  return types.some((type) =>
    type.startsWith('.') ? filename.toLowerCase().endsWith(type.toLowerCase()) : contentType.startsWith(`${type}/`),
  )
}
