/** Details of one exchange: request, response and decoded ID token side by side, the checks of the SDK, and exports. */
import { useState } from 'preact/hooks'
import { CopyButton } from 'kit/copy-button'
import { ExchangeParts, type MessagePart } from 'kit/exchange-parts'
import { hasSecrets, outcome, title, type Exchange } from '../exchanges/exchange'
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
    <div class="exchange-details">
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
        <Parts exchange={exchange} isRevealed={isRevealed} isTokenFirst={isTokenFirst} claims={claims} />
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
  isTokenFirst,
  claims,
}: { isRevealed: boolean; isTokenFirst: boolean } & Pick<DetailsProps, 'exchange' | 'claims'>) {
  const { checks } = exchange
  const hasToken = idTokenOf(exchange) !== undefined
  const kept = !hasToken && hasLeftOutToken(exchange) ? Object.entries(claims ?? {}) : []
  return (
    <ExchangeParts parts={partsOf(exchange)} isRevealed={isRevealed} isTokenFirst={isTokenFirst}>
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
    </ExchangeParts>
  )
}

function partsOf(exchange: Exchange): MessagePart[] {
  const { kind, url, query, headers, body, response } = exchange
  const request = {
    title: KINDS[kind],
    line: url,
    groups: [
      { caption: 'Parameters', fields: query },
      { caption: 'Body', fields: body },
      { caption: 'Headers', fields: headers },
    ],
  }
  if (!response) return [request]
  const groups = [
    { caption: 'Body', fields: response.body },
    { caption: 'Headers that the browser shows to the page', fields: response.headers },
  ]
  return [request, { title: `Response ${outcome(exchange)}`, groups }]
}
