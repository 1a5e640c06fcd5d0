/** A request and its response as the text of HTTP. */
import { type Exchange, type Field, outcome } from './exchange'

const MASK = '•••'

interface RawOptions {
  /** Shows secrets too. */
  reveal: boolean
}

export function rawRequest({ kind, method, url, query, headers, body }: Exchange, options: RawOptions): string {
  const { host, pathname } = new URL(url)
  const search = query.length > 0 ? `?${pairs(query, options)}` : ''
  const sent = [{ name: 'Host', value: host, isSecret: false }, ...headers]
  const first = kind === 'callback' ? `Callback ${url}${search}` : `${method} ${pathname}${search} HTTP/1.1`
  const isForm = headers.some(({ name, value }) => name.toLowerCase() === 'content-type' && value.includes('urlencoded'))
  return [
    first,
    ...(kind === 'callback' ? [] : lines(sent, options)),
    ...bodyLines(isForm ? pairs(body, options) : json(body, options)),
  ].join('\n')
}

export function rawResponse(exchange: Exchange, options: RawOptions): string {
  const { response } = exchange
  if (!response) return exchange.failure ?? ''
  return [`HTTP/1.1 ${outcome(exchange)}`, ...lines(response.headers, options), ...bodyLines(json(response.body, options))].join('\n')
}

const shown = ({ value, isSecret, isLeftOut }: Field, { reveal }: RawOptions): string =>
  isLeftOut ? '(not kept)' : isSecret && !reveal ? MASK : value

const lines = (fields: readonly Field[], options: RawOptions) => fields.map((field) => `${field.name}: ${shown(field, options)}`)

const bodyLines = (text: string): string[] => (text === '' ? [] : ['', text])

function pairs(fields: readonly Field[], options: RawOptions): string {
  return fields.map((field) => `${encodeURIComponent(field.name)}=${encoded(shown(field, options))}`).join('&')
}

const encoded = (text: string): string => (text === MASK ? text : encodeURIComponent(text))

/** Fields of a JSON object, or a text that is none. */
function json(fields: readonly Field[], options: RawOptions): string {
  const [only] = fields
  if (!only) return ''
  if (only.name === '') return shown(only, options)
  return JSON.stringify(
    Object.fromEntries(fields.map((field) => [field.name, field.isText ? shown(field, options) : parsed(shown(field, options))])),
    null,
    2,
  )
}

/** Numbers and nested values were kept as their JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
