/** Parts of the details that show the two messages: headers, bodies, the raw text and a command for a terminal. */
import type { RequestDetails } from '../../../api/request/request-log.js'
import type { ShownBody } from '../../../exchanges/body-record.js'
import type { ShownMessage } from '../../../exchanges/exchange-view.js'
import { CopiedText } from '../../kit/copied-text.js'
import { NamedValues } from '../../kit/named-values.js'

interface PartProps {
  details: RequestDetails
}

export function HeadersPart({ details: { request, response } }: PartProps) {
  return (
    <>
      <Headers title="Request" message={request} />
      {response ? <Headers title="Response" message={response} /> : <NoAnswer />}
    </>
  )
}

function Headers({ title, message: { line, headers } }: { title: string; message: ShownMessage }) {
  return (
    <section aria-label={title}>
      <h4>{title}</h4>
      <p class="wire">
        <code>{line}</code>
      </p>
      <NamedValues values={headers.map(([name, value]) => ({ name, value }))} />
    </section>
  )
}

export function BodyPart({ details: { request, response } }: PartProps) {
  return (
    <>
      <Body title="Request" message={request} />
      {response ? <Body title="Response" message={response} /> : <NoAnswer />}
    </>
  )
}

function Body({ title, message: { body } }: { title: string; message: ShownMessage }) {
  const text = readableBody(body)
  const head = (
    <h4>
      {title} <span class="quiet">{bodyNote(body)}</span>
    </h4>
  )
  return (
    <section aria-label={title}>
      {text === '' ? (
        head
      ) : (
        <CopiedText head={head} what={`the body of the ${title.toLowerCase()}`} copied={body.text ?? ''}>
          <code>{text}</code>
        </CopiedText>
      )}
    </section>
  )
}

export function RawPart({ details: { request, response } }: PartProps) {
  return (
    <>
      <section aria-label="Request">
        <CopiedText head={<h4>Request</h4>} what="the request" copied={rawMessage(request)} />
      </section>
      {response ? (
        <section aria-label="Response">
          <CopiedText head={<h4>Response</h4>} what="the response" copied={rawMessage(response)} />
        </section>
      ) : (
        <NoAnswer />
      )}
    </>
  )
}

export function CurlPart({ details: { request, revealed } }: PartProps) {
  const isWhole = request.body.kind === 'none' || (request.body.kind === 'text' && request.body.cut !== true)
  const head = (
    <h4>
      {revealed ? (
        'Command'
      ) : (
        <span class="quiet">Secrets are masked. The command works after “Reveal all”.</span>
      )}
    </h4>
  )
  return (
    <section aria-label="Command">
      {!isWhole && <p class="quiet">The body is not in the command: {bodyNote(request.body)}.</p>}
      <CopiedText
        head={head}
        what="the command"
        copied={curlCommand(
          isWhole ? request : { ...request, body: { kind: 'none', size: 0 } },
          location.origin,
        )}
      />
    </section>
  )
}

function NoAnswer() {
  return <p class="empty">No response reached the client.</p>
}

/** Headers that the program sets itself. */
const OWN_HEADERS = /^(?:host|connection|content-length|accept-encoding|transfer-encoding|sec-.*)$/i

/** Note on a body of which the text is missing or cut: its size, or why nothing was kept. */
function bodyNote({ kind, type, size, cut }: ShownBody): string {
  if (kind === 'none') return 'no body'
  if (kind === 'page') return "not kept: a page of the emulator's own"
  if (kind === 'stream') return 'not kept: an endless stream'
  const bytes = `${size.toLocaleString('en')} ${size === 1 ? 'byte' : 'bytes'}`
  const of = type === undefined ? bytes : `${type.replace(/;.*/s, '')}, ${bytes}`
  if (kind === 'binary') return `${of}, not kept: binary`
  return cut === true ? `${of}, cut after 16 KiB` : of
}

/** A message as it was on the wire. */
function rawMessage({ line, headers, body }: ShownMessage): string {
  const head = [line, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n')
  if (body.text !== undefined)
    return `${head}\n\n${body.text}${body.cut === true ? `\n(${bodyNote(body)})` : ''}`
  return body.kind === 'none' ? `${head}\n` : `${head}\n\n(${bodyNote(body)})`
}

/** Whole JSON is indented. Anything else stays as it is. */
function readableBody({ text = '', cut }: ShownBody): string {
  if (cut === true || !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** @param origin address of the emulator. */
function curlCommand({ line, headers, body }: ShownMessage, origin: string): string {
  const [, method = 'GET', target = '/'] = /^(\S+) (\S+)/.exec(line) ?? []
  const sent = headers
    .filter(([name]) => !OWN_HEADERS.test(name))
    .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const verb =
    method === 'HEAD' ? ['--head'] : method === 'GET' && body.text === undefined ? [] : [`-X ${method}`]
  const data = body.text === undefined ? [] : [`--data-binary ${quote(body.text)}`]
  return [`curl ${quote(origin + target)}`, ...verb, ...sent, ...data].join(' \\\n  ')
}

/** In single quotes a shell replaces nothing. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
