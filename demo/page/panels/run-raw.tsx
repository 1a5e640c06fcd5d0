/** Messages of one run as text, each request with its response. */
import type { Run } from '../game/runs'
import { useDemo } from '../context/use-demo'
import { RawMessage } from './raw-message'

export function RunRaw({ run }: { run: Run }) {
  const { exchanges } = useDemo()
  const own = exchanges.list.value.filter((exchange) => exchange.run === run.id)
  if (own.length === 0) return <p class="empty">Nothing was sent in this run.</p>
  return (
    <div class="raw-list">
      {own.map((exchange) => (
        <RawMessage exchange={exchange} key={exchange.id} />
      ))}
    </div>
  )
}
