/** Storage of the session, and a log of its events. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { SessionLogEvent } from '../../game/session-log'
import { profileOf, STORE_KINDS, storeLabel, storeDescription } from '../../game/token-store-option'
import { Icon } from 'kit/icon'
import { Choice } from 'kit/field'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'

const MARKS = { done: 'check', warning: 'warning', failed: 'cross' } as const

export function StorePanel() {
  return (
    <Panel id="store" title="Storage and events">
      <StoreChoice />
      <EventLog />
    </Panel>
  )
}

function StoreChoice() {
  const { storeKind } = useDemo()
  const kind = storeKind.value
  return (
    <div class="store-choice">
      <Choice
        name="store"
        legend="Store the session in"
        value={kind}
        choices={STORE_KINDS.map((value) => ({ value, label: storeLabel(value) }))}
        onChange={(chosen) => (storeKind.value = chosen)}
      />
      <p class="hint" id="store-words">
        {`${storeLabel(kind)}: ${storeDescription(kind)}. Profile `}
        <code>{profileOf(location.search)}</code>. <a href="?profile=alice">Open as another player</a>, who
        has a session of their own.
      </p>
    </div>
  )
}

function EventLog() {
  const events = useDemo().sessionLog.events.value
  const list = useRef<HTMLOListElement>(null)
  useLayoutEffect(() => {
    if (list.current) list.current.scrollTop = list.current.scrollHeight
  }, [events])
  return (
    <div class="event-log" role="log" aria-label="Session events" tabindex={0}>
      <ol class="events" ref={list}>
        {events.map((event) => (
          <LoggedEvent event={event} key={event.id} />
        ))}
      </ol>
    </div>
  )
}

function LoggedEvent({ event: { kind, name, detail, at } }: { event: SessionLogEvent }) {
  return (
    <li class={`event event-${kind}`}>
      <Icon name={MARKS[kind]} />
      <span>
        <code>{name}</code> {detail}
      </span>
      <time class="ms" datetime={new Date(at).toISOString()}>
        {new Date(at).toLocaleTimeString('en-GB')}
      </time>
    </li>
  )
}
