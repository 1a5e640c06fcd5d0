/** Session panel: its storage, its state, actions on it, and a log of its events. */
import type { Session } from 'foyer-sdk'
import type { DemoContext, Mount } from '../panel-context'
import type { SessionLogEvent } from '../game/session-log-and-actions'
import { profileOf, STORE_KINDS, storeLabel, storeDescription } from '../game/token-store-options'
import { h } from '../ui/create-element'
import { choice } from '../ui/input-field'
import { icon, type IconName } from '../ui/icons'
import { panel } from '../ui/panel'
import { everySecond } from '../ui/format-time'

const STATES: Record<Session['state'], { icon: IconName; words: string }> = {
  fresh: { icon: 'check', words: 'the access token is valid' },
  stale: { icon: 'clock', words: 'the access token has expired, and the next call refreshes it' },
  offline: { icon: 'cloud', words: 'the network is down, so it could not be refreshed and is kept' },
}
const MARKS = { done: 'check', warning: 'warning', failed: 'cross' } as const

export const mountSessionLifecycle: Mount = (element, context) => {
  const { sessionLog } = context
  const { body } = panel(element, 'Lifecycle', [
    'The client refreshes a session before it expires, keeps it while the network is down, and ends it only when the service rejects it.',
  ])
  const state = h('p', { class: 'life-state', role: 'status' })
  const buttons = actionButtons(context)
  body.append(storeChoice(context), state, buttons, eventLog(context))
  let shown = ''
  const show = () => {
    const { session } = sessionLog
    const words = session ? `${session.state} ${session.storage}` : ''
    buttons.hidden = !session
    if (words === shown && state.hasChildNodes()) return
    shown = words
    state.replaceChildren(...(session ? stateText(session) : ['Nobody is signed in.']))
  }
  sessionLog.revision.subscribe(show)
  context.signIn.player.subscribe(show)
  everySecond(show)
}

function stateText({ state, storage }: Session): (Node | string)[] {
  const { icon: name, words } = STATES[state]
  const kept = storage === 'store' ? 'It survives a reload.' : 'Stored in memory: a reload ends it.'
  return [h('span', { class: `badge badge-${state}` }, [icon(name), state]), `${words}. ${kept}`]
}

function storeChoice({ storeKind }: DemoContext): HTMLElement {
  const profile = profileOf(location.search)
  const words = h('p', { class: 'hint', id: 'store-words' })
  storeKind.subscribe((kind) => {
    words.replaceChildren(
      `${storeLabel(kind)}: ${storeDescription(kind)}. Profile `,
      h('code', {}, [profile]),
      '; open ',
      h('a', { href: '?profile=alice' }, ['?profile=alice']),
      ' for another player with a separate session.',
    )
  })
  return h('div', { class: 'store-choice' }, [
    choice('store', {
      legend: 'Store the session in',
      value: storeKind.value,
      choices: STORE_KINDS.map((value) => ({ value, label: storeLabel(value) })),
      onChange: (kind) => (storeKind.value = kind),
    }),
    words,
  ])
}

interface Action {
  label: string
  run: () => Promise<void>
  /** True if the action needs the emulator. */
  needsEmulator?: boolean
}

function actionButtons({ sessionLog, service }: DemoContext): HTMLElement {
  const actions: Action[] = [
    { label: 'Refresh now', run: () => sessionLog.refresh() },
    { label: 'Call the API', run: () => sessionLog.callApi() },
    { label: 'Sign out and revoke', run: () => sessionLog.revoke() },
    {
      label: 'Expire the access token',
      run: () => sessionLog.injectFault('expire', 'the service rejects the access token'),
      needsEmulator: true,
    },
    { label: 'Sleep for 8 days', run: () => sessionLog.sleep(), needsEmulator: true },
    {
      label: 'Disconnect the network',
      run: () => sessionLog.injectFault('cut', 'every request to the service is dropped'),
      needsEmulator: true,
    },
    { label: 'Restore the network', run: () => sessionLog.injectFault('mend', 'requests arrive again'), needsEmulator: true },
    {
      label: 'Revoke at the service',
      run: () => sessionLog.injectFault('revoke', 'the player revoked the authorization'),
      needsEmulator: true,
    },
  ]
  const group = (needsEmulator: boolean) =>
    h(
      'div',
      { class: 'buttons' },
      actions
        .filter((action) => (action.needsEmulator ?? false) === needsEmulator)
        .map(({ label, run }) => h('button', { type: 'button', class: 'secondary', onclick: () => void run() }, [label])),
    )
  const faults = h('section', { class: 'experiments', 'aria-label': 'Faults' }, [
    h('h3', {}, ['Simulate a fault']),
    h('p', { class: 'hint' }, ['The emulator simulates the fault. Then call the API and watch the session.']),
    group(true),
  ])
  service.subscribe(() => (faults.hidden = !sessionLog.hasFaultControls))
  return h('div', { class: 'session-actions' }, [group(false), faults])
}

function eventLog({ sessionLog }: DemoContext): HTMLElement {
  const list = h('ol', { class: 'events' })
  const seen = new Set<SessionLogEvent>()
  sessionLog.events.subscribe((events) => {
    for (const event of events) {
      if (seen.has(event)) continue
      seen.add(event)
      list.append(eventItem(event))
    }
    while (list.childElementCount > events.length) list.firstElementChild?.remove()
    list.scrollTop = list.scrollHeight
  })
  return h('div', { class: 'event-log', role: 'log', 'aria-label': 'Session events', tabindex: 0 }, [list])
}

function eventItem({ kind, name, detail, at }: SessionLogEvent): HTMLElement {
  return h('li', { class: `event event-${kind}` }, [
    icon(MARKS[kind]),
    h('span', {}, [h('code', {}, [name]), ` ${detail}`]),
    h('time', { class: 'ms', datetime: new Date(at).toISOString() }, [new Date(at).toLocaleTimeString('en-GB')]),
  ])
}
