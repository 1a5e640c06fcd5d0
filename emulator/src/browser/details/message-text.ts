/** Messages of a request as text: whole, their bodies, and as a command for a terminal. */
import type { ShownBody } from '../../exchanges/body-record.js'
import type { ShownMessage } from '../../exchanges/exchange-view.js'

/** Headers that the program sets itself. */
const OWN_HEADERS = /^(?:host|connection|content-length|accept-encoding|transfer-encoding|sec-.*)$/i

/** Note on a body of which the text is missing or cut: its size, or why nothing was kept. */
export function bodyNote({ kind, type, size, cut }: ShownBody): string {
  if (kind === 'none') return 'no body'
  if (kind === 'page') return "not kept: a page of the emulator's own"
  if (kind === 'stream') return 'not kept: an endless stream'
  const bytes = `${size.toLocaleString('en')} ${size === 1 ? 'byte' : 'bytes'}`
  const of = type === undefined ? bytes : `${type.replace(/;.*/s, '')}, ${bytes}`
  if (kind === 'binary') return `${of}, not kept: binary`
  return cut === true ? `${of}, cut after 16 KiB` : of
}

/** A message as it was on the wire. */
export function rawMessage({ line, headers, body }: ShownMessage): string {
  const head = [line, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n')
  if (body.text !== undefined) return `${head}\n\n${body.text}${body.cut === true ? `\n(${bodyNote(body)})` : ''}`
  return body.kind === 'none' ? `${head}\n` : `${head}\n\n(${bodyNote(body)})`
}

/** Whole JSON is indented. Anything else stays as it is. */
export function readableBody({ text = '', cut }: ShownBody): string {
  if (cut === true || !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** @param origin address of the emulator. */
export function curlCommand({ line, headers, body }: ShownMessage, origin: string): string {
  const [, method = 'GET', target = '/'] = /^(\S+) (\S+)/.exec(line) ?? []
  const sent = headers.filter(([name]) => !OWN_HEADERS.test(name)).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const verb = method === 'HEAD' ? ['--head'] : method === 'GET' && body.text === undefined ? [] : [`-X ${method}`]
  const data = body.text === undefined ? [] : [`--data-binary ${quote(body.text)}`]
  return [`curl ${quote(origin + target)}`, ...verb, ...sent, ...data].join(' \\\n  ')
}

/** In single quotes a shell replaces nothing. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
