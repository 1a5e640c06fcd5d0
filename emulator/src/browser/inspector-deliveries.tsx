/** Panel of the inspector for deliveries of events. */
import { useState } from 'preact/hooks'
import type { Act, EventDelivery, Webhooks } from './control/inspector-data.js'
import { Panel } from './kit/panel.js'

export function Deliveries({ webhooks: { url, deliveries }, act }: { webhooks: Webhooks; act: Act }) {
  const [address, setAddress] = useState(url ?? '')
  const connect = (event: Event) => {
    event.preventDefault()
    void act('webhooks/connect', { url: address }, `Events go to ${address}.`)
  }
  return (
    <Panel title="Deliveries">
      <form class="one-line" onSubmit={connect}>
        <label>
          Address for events
          <input
            type="url"
            value={address}
            required
            placeholder="http://localhost:3000/events"
            onInput={({ currentTarget }) => setAddress(currentTarget.value)}
          />
        </label>
        <button>Set the address</button>
      </form>
      {deliveries.length === 0 && <p class="empty">No event was sent.</p>}
      <ul>
        {deliveries.toReversed().map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} act={act} />
        ))}
      </ul>
    </Panel>
  )
}

function Delivery({ delivery: { id, type, forged, state, attempts }, act }: { delivery: EventDelivery; act: Act }) {
  const last = attempts.at(-1)
  return (
    <li class={state === 'refused' ? 'refused' : ''}>
      <code>{type}</code> {forged && <span class="quiet">with a wrong signature </span>}
      <strong>{state}</strong>{' '}
      <span class="quiet">
        {attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'}
        {last?.status ? `, ${last.status}` : ''}
      </span>
      {last?.refused && <p>{last.refused}</p>}
      {type !== 'PING' && <button onClick={() => void act('webhooks/resend', { id }, `${type} was sent once more.`)}>Resend</button>}
    </li>
  )
}
