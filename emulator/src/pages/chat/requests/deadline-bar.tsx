/** Bar of the time that a response may take, running while it is awaited, and the time that is left for calls with the interaction's token. */
import { useEffect, useState } from 'preact/hooks'
import type { DeliveryLogEntry, View } from '../shared/chat-data.js'

/** Interval of the running bar, in ms. */
const FRAME = 100

interface Props {
  exchange: DeliveryLogEntry
  deadlines: View['deadlines']
}

export function DeadlineBar({ exchange, deadlines: { response } }: Props) {
  const isAwaited = awaitsResponse(exchange)
  const awaited = useElapsed(FRAME, { isRunning: isAwaited })
  const wasSent = isAwaited || exchange.request !== undefined
  if (!wasSent) return null
  const ms = isAwaited ? awaited : (exchange.ms ?? 0)
  const words = isAwaited
    ? `awaited for ${seconds(ms)}`
    : exchange.answer
      ? `answered after ${amount(ms)}`
      : `no answer after ${seconds(ms)}`
  return (
    <span class="deadline">
      <meter
        min="0"
        max={response}
        high={(response * 2) / 3}
        optimum={0}
        value={Math.min(ms, response)}
        aria-label={`Deadline of ${exchange.subject}`}
      ></meter>
      <span class="quiet">
        {words}, of {response / 1000} s
      </span>
    </span>
  )
}

/** Time that is left for follow-ups and edits; none for suggestions, whose interactions take no further call. */
export function TokenTime({ exchange, deadlines: { token }, now }: Props & { now: number }) {
  const elapsed = useElapsed(1000, { isRunning: true })
  const left = exchange.at + token - now - elapsed
  if (exchange.kind === 'autocomplete' || exchange.answer === undefined) return null
  const words =
    left > 0
      ? `takes calls for ${Math.floor(left / 60_000)} min ${Math.floor(left / 1000) % 60} s more`
      : 'takes no calls any more'
  return <p class="quiet">Its token {words}.</p>
}

/** A response with status 202 promises a call, for which the same deadline counts. */
function awaitsResponse({ request, answer, refused, calls }: DeliveryLogEntry): boolean {
  if (refused !== undefined) return false
  return request === undefined || (answer?.status === 202 && calls.length === 0)
}

/** Milliseconds since the component appeared; counts while `isRunning`. */
function useElapsed(interval: number, { isRunning }: { isRunning: boolean }): number {
  const [begun] = useState(() => performance.now())
  const [elapsed, setElapsed] = useState(0)
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setElapsed(performance.now() - begun), interval)
    return () => clearInterval(timer)
  }, [isRunning, interval, begun])
  return elapsed
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

const amount = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : seconds(ms))
