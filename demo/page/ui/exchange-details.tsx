/** Details of one exchange: request, response and decoded ID token side by side, the checks of the SDK, and exports. */
import { useState } from 'preact/hooks'
import { Breakable } from 'kit/breakable'
import { CopyButton } from 'kit/copy-button'
import { MaskedValue } from 'kit/masked-value'
import { NamedValues } from 'kit/named-values'
import { hasSecrets, outcome, title, type Exchange, type Field } from '../exchanges/exchange'
import { CheckList } from './check-list'
import { RawMessage, useRevealAll } from './raw-message'
import { ExchangeToken, hasLeftOutToken, idTokenOf, KeptClaims } from './exchange-token'
import { SendAgain } from './send-again'
import { toCurl, toSdkCode, toTest } from '../exchanges/export-exchanges'

const KINDS = { authorize: 'Authorize request', callback: 'Callback', request: 'Request' }

interface DetailsProps {
  exchange: Exchange
  /** Sentence beside the buttons. */
  words?: string
  /** The token comes first where there is no room for three parts. Default: false. */
  isTokenFirst?: boolean
  /** Offers to send a request again. Default: false. */
  canSendAgain?: boolean
  /** Claims of the ID token as texts, for a response whose token was not kept. Default: none. */
  claims?: Readonly<Record<string, string>> | undefined
}

export function ExchangeDetails({
  exchange,
  words,
  isTokenFirst = false,
  canSendAgain = false,
  claims,
}: DetailsProps) {
  const { isRevealed, button } = useRevealAll(title(exchange))
  const [isRaw, setRaw] = useState(false)
  const [isForm, setForm] = useState(false)
  return (
    <div class={isTokenFirst ? 'exchange-details token-first' : 'exchange-details'}>
      <div class="buttons">
        {words !== undefined && <p class="step-detail">{words}</p>}
        {hasSecrets(exchange) && !isRaw && button}
        <button
          type="button"
          class="quiet"
          aria-pressed={isRaw}
          aria-label={`Raw text of ${title(exchange)}`}
          onClick={() => setRaw(!isRaw)}
        >
          Raw
        </button>
        <Exports exchange={exchange} />
        {canSendAgain && (
          <button type="button" class="quiet" aria-expanded={isForm} onClick={() => setForm(!isForm)}>
            Send again
          </button>
        )}
      </div>
      {isForm && <SendAgain exchange={exchange} close={() => setForm(false)} />}
      {isRaw ? (
        <RawMessage exchange={exchange} />
      ) : (
        <Parts exchange={exchange} isRevealed={isRevealed} claims={claims} />
      )}
    </div>
  )
}

function Exports({ exchange }: { exchange: Exchange }) {
  const { kind } = exchange
  return (
    <>
      {kind !== 'callback' && (
        <CopyButton what="the request as cURL" label="cURL" text={() => toCurl(exchange)} />
      )}
      <CopyButton what="the call of the SDK" label="SDK code" text={() => toSdkCode(exchange)} />
      {kind === 'request' && (
        <CopyButton what="the request as a test" label="Test" text={() => toTest(exchange)} />
      )}
    </>
  )
}

function Parts({
  exchange,
  isRevealed,
  claims,
}: { exchange: Exchange; isRevealed: boolean } & Pick<DetailsProps, 'claims'>) {
  const { kind, url, query, headers, body, response, checks } = exchange
  const hasToken = idTokenOf(exchange) !== undefined
  const kept = !hasToken && hasLeftOutToken(exchange) ? Object.entries(claims ?? {}) : []
  return (
    <div class="exchange-parts">
      <section>
        <h3>{KINDS[kind]}</h3>
        <p class="exchange-url">
          <code>{url}</code>
        </p>
        <FieldTable caption="Parameters" fields={query} isRevealed={isRevealed} />
        <FieldTable caption="Body" fields={body} isRevealed={isRevealed} />
        <FieldTable caption="Headers" fields={headers} isRevealed={isRevealed} />
      </section>
      {response && (
        <section>
          <h3>Response {outcome(exchange)}</h3>
          <FieldTable caption="Body" fields={response.body} isRevealed={isRevealed} />
          <FieldTable
            caption="Headers that the browser shows to the page"
            fields={response.headers}
            isRevealed={isRevealed}
          />
        </section>
      )}
      {(hasToken || kept.length > 0 || checks.length > 0) && (
        <section>
          {hasToken && <ExchangeToken exchange={exchange} isRevealed={isRevealed} />}
          {kept.length > 0 && <KeptClaims claims={kept} checks={checks} />}
          {checks.length > 0 && (
            <>
              <h3>Checks of the SDK</h3>
              <CheckList checks={checks} />
            </>
          )}
        </section>
      )}
    </div>
  )
}

/** Characters of an ID token that its field shows. */
const TOKEN_START = 40

interface TableProps {
  caption: string
  fields: readonly Field[]
  /** Shows all secrets. */
  isRevealed: boolean
}

/** Named values of a message, each with a button that copies it. Secrets are masked until they are revealed. */
function FieldTable({ caption, fields, isRevealed }: TableProps) {
  if (fields.length === 0) return null
  return (
    <NamedValues
      caption={caption}
      values={fields.map((field) => ({
        name: field.name || 'text',
        value: <FieldValue field={field} isRevealed={isRevealed} />,
      }))}
    />
  )
}

const RANDOM = /^[\w-]{30,}$/

/** The whole ID token is beside its claims. */
function Value({ name, value }: { name: string; value: string }) {
  const isToken = name === 'id_token' && value.length > TOKEN_START
  if (isToken) return <code>{`${value.slice(0, TOKEN_START)}… (${value.length} characters)`}</code>
  // A random value has no words: it fills its lines, also where it has a hyphen.
  if (RANDOM.test(value)) return <code class="random">{value}</code>
  return (
    <code>
      <Breakable text={value} />
    </code>
  )
}

function FieldValue({
  field: { name, value, isSecret, isLeftOut },
  isRevealed,
}: {
  field: Field
  isRevealed: boolean
}) {
  if (isLeftOut) return <span class="hint">{isSecret ? 'a secret, not kept' : 'not kept'}</span>
  const copy = <CopyButton what={name || 'the text'} label="" text={() => value} />
  return (
    <span class="field-value">
      {isSecret && !isRevealed ? (
        <MaskedValue name={name} secret={value} />
      ) : (
        <Value name={name} value={value} />
      )}
      {copy}
    </span>
  )
}
