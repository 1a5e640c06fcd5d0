/** Reads the messages of a request into named values, as they are shown, compared and saved. */
import type { RequestDetails } from '../../../api/request/request-log.js'
import type { ShownBody } from '../../../exchanges/body-record.js'
import type { ShownMessage } from '../../../exchanges/exchange-view.js'
import type { MessagePart } from '../../kit/exchange-parts.js'
import type { ShownField } from '../../kit/field-table.js'

/** Stands for a secret until it is revealed. */
const MASK = '[secret]'

/** Request and response of the details. */
export function partsOf({ request, response }: RequestDetails): MessagePart[] {
  const { address, query } = targetOf(request)
  const asked: MessagePart = {
    title: 'Request',
    line: address,
    note: noteOf(request.body),
    groups: [
      { caption: 'Parameters', fields: query.map(fieldOf) },
      { caption: 'Body', fields: bodyFields(request.body) },
      { caption: 'Headers', fields: request.headers.map(fieldOf) },
    ],
  }
  if (!response) return [asked, { title: 'Response', groups: [], note: 'No response reached the client.' }]
  const answered: MessagePart = {
    title: `Response ${statusOf(response)}`,
    note: noteOf(response.body),
    groups: [
      { caption: 'Body', fields: bodyFields(response.body) },
      { caption: 'Headers', fields: response.headers.map(fieldOf) },
    ],
  }
  return [asked, answered]
}

/** Status and its words: `200 OK`. */
export function statusOf({ line }: ShownMessage): string {
  return line.replace(/^\S+ /, '')
}

type Pair = readonly [name: string, value: string]

/** Method, path and version of a request line, and the parameters between them. */
export function targetOf({ line }: ShownMessage): {
  address: string
  method: string
  target: string
  query: Pair[]
} {
  const [method = 'GET', target = '/', version = ''] = line.split(' ')
  const [path = '', ...rest] = target.split('?')
  return {
    address: `${method} ${path} ${version}`.trim(),
    method,
    target,
    query: [...new URLSearchParams(rest.join('?'))],
  }
}

const fieldOf = ([name, value]: Pair): ShownField => ({ name, value, isLeftOut: value === MASK })

const FORM = 'application/x-www-form-urlencoded'

/** Fields of a form, or undefined for another body. */
export function formFields({ type = '', text, cut }: ShownBody): Pair[] | undefined {
  if (text === undefined || cut === true || !type.startsWith(FORM)) return undefined
  return [...new URLSearchParams(text)]
}

/** Fields of a form or of a JSON object, and one without a name for any other text. */
function bodyFields(body: ShownBody): ShownField[] {
  const { text, cut } = body
  if (text === undefined || text === '') return []
  const form = formFields(body)
  if (form) return form.map(fieldOf)
  const object = cut === true ? undefined : readObject(text)
  if (!object) return [{ name: '', value: text }]
  return Object.entries(object).map(([name, value]) =>
    fieldOf([name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}

/** Returns undefined for a text that is no JSON object. */
export function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined
  } catch {
    return undefined
  }
}

/** Note on a body of which something is missing. */
function noteOf(body: ShownBody): string | undefined {
  return body.kind === 'none' || (body.kind === 'text' && body.cut !== true)
    ? undefined
    : `Body: ${bodyNote(body)}.`
}

/** Type and size of a body, or why nothing was kept. */
export function bodyNote({ kind, type, size, cut }: ShownBody): string {
  if (kind === 'none') return 'no body'
  if (kind === 'page') return "not kept, a page of the emulator's own"
  if (kind === 'stream') return 'not kept, an endless stream'
  const bytes = `${size.toLocaleString('en')} ${size === 1 ? 'byte' : 'bytes'}`
  const of = type === undefined ? bytes : `${type.replace(/;.*/s, '')}, ${bytes}`
  if (kind === 'binary') return `${of}, not kept: binary`
  return cut === true ? `${of}, cut after 16 KiB` : of
}
