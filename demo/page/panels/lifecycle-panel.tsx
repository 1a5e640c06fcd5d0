/** Session panel: its storage, its state, actions on it, and a log of its events. */
import type { Session } from 'foyer-sdk'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { SessionLogEvent } from '../game/session-log'
import { profileOf, STORE_KINDS, storeLabel, storeDescription } from '../game/token-store-option'
import { Icon, type IconName } from 'kit/icon'
import { Choice } from 'kit/field'
import { Panel } from 'kit/panel'
import { useDemo } from '../context/use-demo'
import { SessionActions } from './session-actions'
import { useSession } from './use-session'

const STATES: Record<Session['state'], { icon: IconName; words: string }> = {
  fresh: { icon: 'check', words: 'the access token is valid' },
  stale: { icon: 'clock', words: 'the access token has expired, and the next call refreshes it' },
  offline: { icon: 'cloud', words: 'the network is down, so it could not be refreshed and is kept' },
}
const MARKS = { done: 'check', warning: 'warning', failed: 'cross' } as const

const INTRO =
  'The client refreshes a session before it expires, keeps it while the network is down, and ends it only when the service rejects it.'

export function LifecyclePanel() {
  const session = useSession()
  return (
    <Panel id="life" title="Lifecycle" intro={INTRO}>
      <StoreChoice />
      <p class="life-state" role="status">
        {session ? <SessionState state={session.state} storage={session.storage} /> : 'Nobody is signed in.'}
      </p>
      <SessionActions hidden={!session} />
      <EventLog />
    </Panel>
  )
}

function SessionState({ state, storage }: Pick<Session, 'state' | 'storage'>) {
  const { icon, words } = STATES[state]
  const kept = storage === 'store' ? 'It survives a reload.' : 'Stored in memory: a reload ends it.'
  return (
    <>
      <span class={`badge badge-${state}`}>
        <Icon name={icon} />
        {state}
      </span>
      {`${words}. ${kept}`}
    </>
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
        <code>{profileOf(location.search)}</code>; open <a href="?profile=alice">?profile=alice</a> for another player with a separate
        session.
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
