/** Exchange screen: each message of all sign-ins as a row, with the details of the chosen one beside it, and all of them as a diagram. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { toHar } from '../../exchanges/export-exchanges'
import { type Exchange, isFailed, outcome, title } from '../../exchanges/exchange'
import { type Bar, waterfall } from './waterfall'
import { CopyButton } from 'kit/copy-button'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { TabPanels } from 'kit/tab-panels'
import { useDemo } from '../../context/use-demo'
import { byId } from '../../foundation/by-id'
import { ChoiceList } from '../../ui/choice-list'
import { ExchangeDetails } from '../../ui/exchange-details'
import { MessageHead } from '../../ui/message-head'
import { signedClaims } from '../../game/run-rows'
import { RunBar } from '../../ui/run-bar'
import { SequenceView } from '../../ui/sequence-view'
import { ExchangeFilter, filterOf, isShown } from './exchange-filter'

const INTRO = 'As the SDK sent it. Codes and tokens are masked, and exports leave them out.'

type View = 'messages' | 'sequence'

export function ExchangesPanel() {
  const { exchanges, address } = useDemo()
  const [view, setView] = useState<View>('messages')
  const all = exchanges.list.value
  const isEmpty = all.length === 0
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
      {isEmpty ? (
        <p class="empty">
          Nothing was sent yet. <a href={address.linkTo('player')}>Sign in</a>, and every request appears here
          with its response.
        </p>
      ) : (
        <TabPanels
          label="Views of the exchanges"
          name="exchange-view"
          selected={view}
          select={setView}
          tabs={[
            { id: 'messages', label: 'Messages', content: <ExchangeList /> },
            { id: 'sequence', label: 'Sequence', content: <Sequence show={() => setView('messages')} /> },
          ]}
        />
      )}
    </Panel>
  )
}

function ExchangeList() {
  const { exchanges, address, runs, chosenExchange } = useDemo()
  const all = exchanges.list.value
  const filter = filterOf(address.current.value)
  const listed = all.filter((exchange) => isShown(exchange, { ...filter, run: runs.shown?.id }))
  const chosen = chosenExchange.of(listed)
  const bars = waterfall(all)
  useWanted(chosen)
  return (
    <>
      <ExchangeFilter />
      <div class="exchange-split">
        <div class="exchange-rows" data-room>
          <ChoiceList
            name="exchange"
            label="Exchanges"
            class="exchanges"
            rows={listed}
            chosen={chosen}
            choose={({ id }) => chosenExchange.choose(id)}
            draw={(exchange) => ({
              class: isFailed(exchange) ? 'exchange exchange-failed' : 'exchange',
              key: String(exchange.id),
              content: <Row exchange={exchange} bar={bars.get(exchange.id)} />,
            })}
          />
        </div>
        {chosen && (
          <section class="exchange-chosen" aria-label="Chosen message" key={chosen.id}>
            <MessageHead message={chosen} />
            <ExchangeDetails
              exchange={chosen}
              canSendAgain={chosen.kind === 'request'}
              claims={signedClaims(
                chosen,
                runs.all.value.find(({ id, opened }) => id === chosen.run && opened === undefined),
              )}
            />
          </section>
        )}
      </div>
    </>
  )
}

/** Moves the focus to the list when its exchange is wanted. The list itself brings the row into view. */
function useWanted(chosen: Exchange | undefined): void {
  const { wanted } = useDemo().chosenExchange
  const isWanted = chosen !== undefined && wanted.value?.id === chosen.id
  useLayoutEffect(() => {
    if (!isWanted) return
    if (wanted.value?.hasFocus) byId('exchanges').querySelector<HTMLElement>('.exchanges')?.focus()
    wanted.value = undefined
  }, [isWanted])
}

function Row({ exchange, bar }: { exchange: Exchange; bar: Bar | undefined }) {
  const { duration, sender } = exchange
  const failed = isFailed(exchange)
  return (
    <>
      <Icon name={failed ? 'cross' : 'arrow'} />
      {failed && <span class="visually-hidden">Failed: </span>}
      <strong>{title(exchange)}</strong>
      {sender !== undefined && <span class="tag">{sender}</span>}
      <span class="exchange-outcome">{outcome(exchange)}</span>
      <span class="ms">{duration !== undefined && `${duration} ms`}</span>
      <span class="exchange-time" aria-hidden="true">
        {bar && <span style={{ marginLeft: `${bar.start}%`, width: `${bar.length}%` }} />}
      </span>
    </>
  )
}

/** @param props.show opens the list of messages. */
function Sequence({ show }: { show: () => void }) {
  const { exchanges, chosenExchange, runs, address } = useDemo()
  const { isEveryRun } = filterOf(address.current.value)
  const isListed = ({ run }: { run?: number | undefined }) =>
    isEveryRun || run === undefined || run === runs.shown?.id
  return (
    <SequenceView
      messages={exchanges.list.value.filter(isListed)}
      calls={exchanges.calls.value.filter(isListed)}
      what="the diagram as Mermaid"
      empty="The messages between game, SDK, browser and service are drawn here."
      select={(id) => {
        show()
        chosenExchange.focus(id)
      }}
    />
  )
}
