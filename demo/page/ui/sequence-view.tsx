/** Sequence diagram of calls and messages, with its text as Mermaid. */
import { CopyButton } from 'kit/copy-button'
import type { Exchange } from '../exchanges/exchange'
import type { RecordedCall } from '../exchanges/exchange-recorder'
import { toArrows, toMermaid } from '../exchanges/to-arrows'
import { SequenceDiagram } from './sequence-diagram'

interface Props {
  messages: readonly Exchange[]
  calls: readonly RecordedCall[]
  /** Completes the name of the copy button. */
  what: string
  /** Shown if nothing was sent. */
  empty: string
  /** Shows the message of an arrow. */
  select: (id: number) => void
}

export function SequenceView({ messages, calls, what, empty, select }: Props) {
  const arrows = toArrows(messages, calls)
  if (arrows.length === 0) return <p class="empty">{empty}</p>
  return (
    <>
      <SequenceDiagram arrows={arrows} onSelect={select} />
      <CopyButton what={what} label="Mermaid" text={() => toMermaid(arrows)} />
    </>
  )
}
