/** Exchange screen: sequence diagram of all calls and exchanges. */
import { toArrows, toMermaid } from '../../exchanges/to-arrows'
import { CopyButton } from 'kit/copy-button'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'
import { filterOf } from './exchange-filter'
import { SequenceDiagram } from '../../ui/sequence-diagram'

const INTRO =
  'Calls of the game, messages and checks, in the order in which they happened. Select an arrow for its details.'

export function SequencePanel() {
  const { exchanges, openedExchanges, runs, address } = useDemo()
  const { isEveryRun } = filterOf(address.current.value)
  const isListed = ({ run }: { run?: number | undefined }) =>
    isEveryRun || run === undefined || run === runs.shown?.id
  const arrows = toArrows(exchanges.list.value.filter(isListed), exchanges.calls.value.filter(isListed))
  const isEmpty = arrows.length === 0
  const copy = (
    <CopyButton
      what="the diagram as Mermaid"
      label="Mermaid"
      text={() => toMermaid(arrows)}
      hidden={isEmpty}
    />
  )
  return (
    <Panel id="sequence" title="Sequence" intro={INTRO} tools={copy}>
      {isEmpty ? (
        <p class="empty">The messages between game, SDK, browser and service are drawn here.</p>
      ) : (
        <SequenceDiagram arrows={arrows} onSelect={(id) => openedExchanges.focus(id)} />
      )}
    </Panel>
  )
}
