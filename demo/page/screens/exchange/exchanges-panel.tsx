/** Exchange screen: each message of a sign-in with its response and the SDK's checks. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { toHar } from '../../exchanges/export-exchanges'
import { type Exchange, isFailed, outcome, title } from '../../exchanges/exchange'
import { type Bar, waterfall } from './waterfall'
import { CopyButton } from 'kit/copy-button'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'
import { ExchangeDetails } from '../../ui/exchange-details'
import { ExchangeFilter, filterOf, isShown } from './exchange-filter'
import { RunBar } from '../../ui/run-bar'

const INTRO =
  'Everything that was sent and received, as the SDK sent it. Codes and tokens are masked, and exports leave them out.'

export function ExchangesPanel() {
  const { exchanges, address, runs } = useDemo()
  const all = exchanges.list.value
  const filter = filterOf(address.current.value)
  const isEmpty = all.length === 0
  const bars = waterfall(all)
  const isListed = (exchange: Exchange) => isShown(exchange, { ...filter, run: runs.shown?.id })
  const tools = (
    <>
      <RunBar />
      <CopyButton what="all exchanges as HAR" label="HAR" text={() => toHar(all)} hidden={isEmpty} />
      <button type="button" class="quiet" hidden={isEmpty} onClick={() => exchanges.clear()}>
        Clear
      </button>
    </>
  )
  return (
    <Panel id="exchanges" title="Exchanges" intro={INTRO} tools={tools}>
      <ExchangeFilter hidden={isEmpty} />
      <p class="empty" hidden={!isEmpty}>
        Nothing was sent yet. Sign in, and every request appears here with its response.
      </p>
      <ol class="exchanges" aria-label="Exchanges">
        {all.map((exchange) => (
          <ExchangeItem
            exchange={exchange}
            bar={bars.get(exchange.id)}
            hidden={!isListed(exchange)}
            key={exchange.id}
          />
        ))}
      </ol>
    </Panel>
  )
}

function ExchangeItem({
  exchange,
  bar,
  hidden,
}: {
  exchange: Exchange
  bar: Bar | undefined
  hidden: boolean
}) {
  const { openedExchanges } = useDemo()
  const isOpen = openedExchanges.isOpen(exchange)
  const details = useWanted(exchange.id)
  const failed = isFailed(exchange)
  return (
    <li class={failed ? 'exchange exchange-failed' : 'exchange'} data-id={exchange.id} hidden={hidden}>
      <details
        ref={details}
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== isOpen)
            openedExchanges.toggle(exchange.id, { isOpen: currentTarget.open })
        }}
      >
        <Summary exchange={exchange} bar={bar} />
        <ExchangeDetails exchange={exchange} />
      </details>
    </li>
  )
}

/** Brings the exchange into view when it is wanted. */
function useWanted(id: number) {
  const { wanted } = useDemo().openedExchanges
  const details = useRef<HTMLDetailsElement>(null)
  const isWanted = wanted.value?.id === id
  useLayoutEffect(() => {
    if (!isWanted) return
    details.current?.scrollIntoView({ block: 'start' })
    if (wanted.value?.hasFocus) details.current?.querySelector('summary')?.focus()
    wanted.value = undefined
  }, [isWanted])
  return details
}

function Summary({ exchange, bar }: { exchange: Exchange; bar: Bar | undefined }) {
  const { duration, sender } = exchange
  const failed = isFailed(exchange)
  return (
    <summary>
      <Icon name={failed ? 'cross' : 'arrow'} />
      {failed && <span class="visually-hidden">Failed: </span>}
      <strong>{title(exchange)}</strong>
      {sender !== undefined && <span class="tag">{sender}</span>}
      <span class="exchange-outcome">{outcome(exchange)}</span>
      <span class="ms">{duration !== undefined && `${duration} ms`}</span>
      <span class="exchange-time" aria-hidden="true">
        {bar && <span style={{ marginLeft: `${bar.start}%`, width: `${bar.length}%` }} />}
      </span>
    </summary>
  )
}
