/** Details of one exchange: request, response and decoded ID token side by side, the checks of the SDK, and exports. */
import { toCurl, toSdkCode, toTest } from '../exchange/export-exchanges'
import { type Exchange, hasSecrets, outcome, title } from '../exchange/exchange'
import { CopyButton } from 'kit/copy-button'
import { useRevealAll } from '../ui/use-reveal-all'
import { useState } from 'preact/hooks'
import { CheckList } from './check-list'
import { ExchangeToken, idTokenOf } from './exchange-token'
import { FieldTable } from './field-table'
import { RawMessage } from './raw-message'

const KINDS = { authorize: 'Authorize request', callback: 'Callback', request: 'Request' }

export function ExchangeDetails({ exchange }: { exchange: Exchange }) {
  const { isRevealed, button } = useRevealAll(title(exchange))
  const [isRaw, setRaw] = useState(false)
  return (
    <div class="exchange-details">
      <div class="buttons">
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
      </div>
      {isRaw ? <RawMessage exchange={exchange} /> : <Parts exchange={exchange} isRevealed={isRevealed} />}
    </div>
  )
}

function Exports({ exchange }: { exchange: Exchange }) {
  const { kind } = exchange
  return (
    <>
      {kind !== 'callback' && <CopyButton what="the request as cURL" label="cURL" text={() => toCurl(exchange)} />}
      <CopyButton what="the call of the SDK" label="SDK code" text={() => toSdkCode(exchange)} />
      {kind === 'request' && <CopyButton what="the request as a test" label="Test" text={() => toTest(exchange)} />}
    </>
  )
}

function Parts({ exchange, isRevealed }: { exchange: Exchange; isRevealed: boolean }) {
  const { kind, url, query, headers, body, response, checks } = exchange
  const hasToken = idTokenOf(exchange) !== undefined
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
          <FieldTable caption="Headers that the browser shows to the page" fields={response.headers} isRevealed={isRevealed} />
        </section>
      )}
      {(hasToken || checks.length > 0) && (
        <section>
          {hasToken && <ExchangeToken exchange={exchange} isRevealed={isRevealed} />}
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
