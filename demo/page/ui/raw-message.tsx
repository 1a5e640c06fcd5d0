/** One request and its response as text. Secrets are masked until they are revealed. */
import type { VNode } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { CopiedText } from 'kit/copied-text'
import { Icon } from 'kit/icon'
import { hasSecrets, outcome, title, type Exchange, type Field } from '../exchanges/exchange'

export function RawMessage({ exchange }: { exchange: Exchange }) {
  const { isRevealed, button } = useRevealAll(`the text of ${title(exchange)}`)
  const textOf = (options: { reveal: boolean }) =>
    [rawRequest(exchange, options), rawResponse(exchange, options)].filter(Boolean).join('\n\n')
  return (
    <section class="raw-message" aria-label={`Text of ${title(exchange)}`}>
      <CopiedText
        head={<div class="buttons">{hasSecrets(exchange) && button}</div>}
        what={`the text of ${title(exchange)}, without secrets`}
        label={title(exchange)}
        copied={textOf({ reveal: false })}
      >
        <code>{textOf({ reveal: isRevealed })}</code>
      </CopiedText>
    </section>
  )
}

const REVEALED = 10_000

/** @param what completes the name of the button. */
export function useRevealAll(what: string): { isRevealed: boolean; button: VNode } {
  const [isRevealed, setRevealed] = useState(false)
  useLayoutEffect(() => {
    if (!isRevealed) return undefined
    const timer = setTimeout(() => setRevealed(false), REVEALED)
    return () => clearTimeout(timer)
  }, [isRevealed])
  const button = (
    <button
      type="button"
      class="quiet"
      aria-label={`Reveal all in ${what} for ten seconds`}
      onClick={() => setRevealed(!isRevealed)}
    >
      <Icon name="eye" />
      <span>{isRevealed ? 'Hide all' : 'Reveal all'}</span>
    </button>
  )
  return { isRevealed, button }
}

const MASK = '•••'

interface RawOptions {
  /** Shows secrets too. */
  reveal: boolean
}

function rawRequest({ kind, method, url, query, headers, body }: Exchange, options: RawOptions): string {
  const { host, pathname } = new URL(url)
  const search = query.length > 0 ? `?${pairs(query, options)}` : ''
  const sent = [{ name: 'Host', value: host, isSecret: false }, ...headers]
  const first = kind === 'callback' ? `Callback ${url}${search}` : `${method} ${pathname}${search} HTTP/1.1`
  const isForm = headers.some(
    ({ name, value }) => name.toLowerCase() === 'content-type' && value.includes('urlencoded'),
  )
  return [
    first,
    ...(kind === 'callback' ? [] : lines(sent, options)),
    ...bodyLines(isForm ? pairs(body, options) : json(body, options)),
  ].join('\n')
}

function rawResponse(exchange: Exchange, options: RawOptions): string {
  const { response } = exchange
  if (!response) return exchange.failure ?? ''
  return [
    `HTTP/1.1 ${outcome(exchange)}`,
    ...lines(response.headers, options),
    ...bodyLines(json(response.body, options)),
  ].join('\n')
}

const shown = ({ value, isSecret, isLeftOut }: Field, { reveal }: RawOptions): string =>
  isLeftOut ? '(not kept)' : isSecret && !reveal ? MASK : value

const lines = (fields: readonly Field[], options: RawOptions) =>
  fields.map((field) => `${field.name}: ${shown(field, options)}`)

const bodyLines = (text: string): string[] => (text === '' ? [] : ['', text])

function pairs(fields: readonly Field[], options: RawOptions): string {
  return fields
    .map((field) => `${encodeURIComponent(field.name)}=${encoded(shown(field, options))}`)
    .join('&')
}

const encoded = (text: string): string => (text === MASK ? text : encodeURIComponent(text))

/** Fields of a JSON object, or a text that is none. */
function json(fields: readonly Field[], options: RawOptions): string {
  const [only] = fields
  if (!only) return ''
  if (only.name === '') return shown(only, options)
  return JSON.stringify(
    Object.fromEntries(
      fields.map((field) => [
        field.name,
        field.isText ? shown(field, options) : parsed(shown(field, options)),
      ]),
    ),
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
