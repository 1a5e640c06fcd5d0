/** Panel for bots at the gateway: their sessions, and the events that each was sent. */
import { useEffect, useState } from 'preact/hooks'
import { Panel } from '../kit/panel.js'
import { read } from './control/inspector-api.js'
import type { Act, GatewayEvent, GatewayOverview, GatewaySession } from './control/inspector-data.js'

interface Props {
  gateway: GatewayOverview
  /** Epoch milliseconds of the emulator's clock. */
  now: number
  act: Act
}

export function Gateway({ gateway: { url, sessions }, now, act }: Props) {
  return (
    <Panel
      title="Gateway"
      intro={
        <>
          Bots connect to <code>{url}</code>. They get interactions while no endpoint is set.
        </>
      }
    >
      {sessions.length === 0 && <p class="empty">No bot has connected.</p>}
      {sessions.length > 0 && <Disturb act={act} />}
      <ul>
        {sessions.map((session) => (
          <Session key={session.id} session={session} now={now} />
        ))}
      </ul>
    </Panel>
  )
}

function Disturb({ act }: Pick<Props, 'act'>) {
  const disturb = (how: string, done: string) => void act('gateway/disturb', { how }, done)
  return (
    <div class="buttons">
      <button type="button" onClick={() => disturb('reconnect', 'The bots were asked to reconnect.')}>
        Ask to reconnect
      </button>
      <button type="button" onClick={() => disturb('invalidate', 'The sessions are over.')}>
        End the sessions
      </button>
      <button type="button" onClick={() => disturb('drop', 'The connections were cut.')}>
        Cut the connections
      </button>
    </div>
  )
}

function Session({ session, now }: { session: GatewaySession; now: number }) {
  const [isOpen, setOpen] = useState(false)
  const { id, intents, sequence } = session
  return (
    <li>
      <code>{id}</code> <span class="quiet">{stateWords(session, now)}</span>
      <p class="quiet">Intents: {intents.join(', ') || 'none'}.</p>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          {sequence} {sequence === 1 ? 'event' : 'events'}
        </summary>
        {isOpen && <Events session={id} sequence={sequence} />}
      </details>
    </li>
  )
}

/** Newest first. Reads them again when there is a new one. */
function Events({ session, sequence }: { session: string; sequence: number }) {
  const [events, setEvents] = useState<GatewayEvent[]>([])
  useEffect(() => {
    void read<GatewayEvent[]>(`gateway/${session}/events`).then(setEvents, () => undefined)
  }, [session, sequence])
  return (
    <ul class="long" tabIndex={0} aria-label="Events of the session">
      {events.toReversed().map((event) => (
        <li key={event.sequence}>
          <details>
            <summary>
              {event.sequence} <code>{event.type}</code>{' '}
              <span class="quiet">{new Date(event.at).toLocaleTimeString()}</span>
            </summary>
            <pre>{JSON.stringify(event.data, undefined, 2)}</pre>
          </details>
        </li>
      ))}
    </ul>
  )
}

function stateWords({ connected, heartbeats, lastHeartbeat }: GatewaySession, now: number): string {
  if (!connected || lastHeartbeat === null) return 'connection lost, may resume'
  const seconds = Math.max(0, Math.round((now - lastHeartbeat) / 1000))
  const words = heartbeats === 1 ? '1 heartbeat' : `${heartbeats} heartbeats`
  return `connected, ${words}, last sign of life ${seconds} s ago`
}
