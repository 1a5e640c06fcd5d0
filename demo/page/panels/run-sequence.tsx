/** Sequence diagram of one run. */
import { toArrows, toMermaid } from '../exchange/to-arrows'
import type { Run } from '../game/runs'
import { CopyButton } from 'kit/copy-button'
import { useDemo } from '../context/use-demo'
import { SequenceDiagram } from './sequence-diagram'

export function RunSequence({ run }: { run: Run }) {
  const { exchanges, openedExchanges } = useDemo()
  const isOwn = (one: { run?: number | undefined }) => one.run === run.id
  const arrows = toArrows(exchanges.list.value.filter(isOwn), exchanges.calls.value.filter(isOwn))
  if (arrows.length === 0) return <p class="empty">Nothing was sent in this run.</p>
  return (
    <>
      <SequenceDiagram arrows={arrows} onSelect={(id) => openedExchanges.focus(id)} />
      <CopyButton what={`the diagram of run ${run.id} as Mermaid`} label="Mermaid" text={() => toMermaid(arrows)} />
    </>
  )
}
