/** Parts of the details that show the two messages: their values with the decoded tokens, the raw text, and a command for a terminal. */
import type { RequestDetails } from '../../../api/request/request-log.js'
import type { ShownMessage, ShownToken } from '../../../exchanges/exchange-view.js'
import { CopiedText } from '../../kit/copied-text.js'
import { DecodedToken } from '../../kit/decoded-token.js'
import { ExchangeParts } from '../../kit/exchange-parts.js'
import { bodyNote, partsOf, readObject, targetOf } from './read-message.js'

interface PartProps {
  details: RequestDetails
}

/** @param now epoch milliseconds of the emulator's clock. */
export function MessagesPart({ details, now }: PartProps & { now: number }) {
  return (
    <ExchangeParts parts={partsOf(details)}>
      {details.tokens.map((token, index) => (
        <section key={index}>
          <Token token={token} isRevealed={details.revealed} now={now} />
        </section>
      ))}
    </ExchangeParts>
  )
}

function Token({
  token: { name, encoded, header, claims },
  isRevealed,
  now,
}: {
  token: ShownToken
  isRevealed: boolean
  now: number
}) {
  return (
    <DecodedToken
      name={name === 'id_token' ? 'ID token' : name}
      encoded={isRevealed ? encoded : undefined}
      header={readObject(header) ?? {}}
      claims={readObject(claims) ?? {}}
      now={now}
    />
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
        <p class="empty">No response reached the client.</p>
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

/** Headers that the program sets itself. */
const OWN_HEADERS = /^(?:host|connection|content-length|accept-encoding|transfer-encoding|sec-.*)$/i

/** A message as it was on the wire. */
function rawMessage({ line, headers, body }: ShownMessage): string {
  const head = [line, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\n')
  if (body.text !== undefined)
    return `${head}\n\n${body.text}${body.cut === true ? `\n(${bodyNote(body)})` : ''}`
  return body.kind === 'none' ? `${head}\n` : `${head}\n\n(${bodyNote(body)})`
}

/** @param origin address of the emulator. */
function curlCommand(message: ShownMessage, origin: string): string {
  const { headers, body } = message
  const { method, target } = targetOf(message)
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
