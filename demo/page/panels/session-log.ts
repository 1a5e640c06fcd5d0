/** How the session lives: where it is kept, in what state it is, what can happen to it, and what did. */
import type { Session } from 'foyer-sdk'
import type { DemoContext, Mount } from '../context'
import type { SessionLogEvent } from '../game/session-log'
import { profileOf, STORE_KINDS, storeLabel, storeWords } from '../game/session-store'
import { h } from '../ui/dom'
import { choice } from '../ui/field'
import { icon, type IconName } from '../ui/icons'
import { panel } from '../ui/panel'
import { everySecond } from '../ui/time'

const STATES: Record<Session['state'], { icon: IconName; words: string }> = {
  fresh: { icon: 'check', words: 'the access token is good' },
  stale: { icon: 'clock', words: 'the access token has expired, and the next call renews it' },
  offline: { icon: 'cloud', words: 'it could not be renewed for want of a network, and stays' },
}
const MARKS = { done: 'check', warning: 'warning', failed: 'cross' } as const

export const mountLife: Mount = (element, context) => {
  const { life } = context
  const { body } = panel(element, 'Life and mishaps', [
    'A session is renewed in time, kept through a bad network, and over only when the service says so.',
  ])
  const state = h('p', { class: 'life-state', role: 'status' })
  const buttons = lifeButtons(context)
  body.append(storeChoice(context), state, buttons, eventLog(context))
  let shown = ''
  const show = () => {
    const { session } = life
    const words = session ? `${session.state} ${session.storage}` : ''
    buttons.hidden = !session
    if (words === shown && state.hasChildNodes()) return
    shown = words
    state.replaceChildren(...(session ? stateWords(session) : ['Nobody is signed in.']))
  }
  life.pulse.watch(show)
  context.signIn.player.watch(show)
  everySecond(show)
}

function stateWords({ state, storage }: Session): (Node | string)[] {
  const { icon: name, words } = STATES[state]
  const kept = storage === 'store' ? 'A reload finds it again.' : 'Kept in memory: a reload ends it.'
  return [h('span', { class: `badge badge-${state}` }, [icon(name), state]), `${words}. ${kept}`]
}

function storeChoice({ kept }: DemoContext): HTMLElement {
  const profile = profileOf(location.search)
  const words = h('p', { class: 'hint', id: 'store-words' })
  kept.watch((kind) => {
    words.replaceChildren(
      `${storeLabel(kind)}: ${storeWords(kind)}. Profile `,
      h('code', {}, [profile]),
      '; another one, by ',
      h('a', { href: '?profile=alice' }, ['?profile=alice']),
      ', is another player beside this one.',
    )
  })
  return h('div', { class: 'store-choice' }, [
    choice('store', {
      legend: 'Keep it in',
      value: kept.value,
      choices: STORE_KINDS.map((value) => ({ value, label: storeLabel(value) })),
      onChange: (kind) => kept.set(kind),
    }),
    words,
  ])
}

interface Act {
  label: string
  run: () => Promise<void>
  /** Needs the emulator. */
  staged?: boolean
}

function lifeButtons({ life, service }: DemoContext): HTMLElement {
  const acts: Act[] = [
    { label: 'Refresh now', run: () => life.refresh() },
    { label: 'Call the API', run: () => life.callApi() },
    { label: 'Sign out and revoke', run: () => life.revoke() },
    { label: 'End the access token', run: () => life.trick('expire', 'the service takes the access token no more'), staged: true },
    { label: 'Sleep for 8 days', run: () => life.sleep(), staged: true },
    { label: 'Cut the network', run: () => life.trick('cut', 'every request to the service is dropped'), staged: true },
    { label: 'Mend the network', run: () => life.trick('mend', 'requests arrive again'), staged: true },
    { label: 'Revoke at the service', run: () => life.trick('revoke', 'the player took back what they granted'), staged: true },
  ]
  const group = (staged: boolean) =>
    h(
      'div',
      { class: 'buttons' },
      acts
        .filter((act) => (act.staged ?? false) === staged)
        .map(({ label, run }) => h('button', { type: 'button', class: 'secondary', onclick: () => void run() }, [label])),
    )
  const mishaps = h('section', { class: 'experiments', 'aria-label': 'Mishaps' }, [
    h('h3', {}, ['Let something happen']),
    h('p', { class: 'hint' }, ['The emulator plays along. Then call the API, and see what the session makes of it.']),
    group(true),
  ])
  service.watch(() => (mishaps.hidden = !life.hasStage))
  return h('div', { class: 'life-acts' }, [group(false), mishaps])
}

function eventLog({ life }: DemoContext): HTMLElement {
  const list = h('ol', { class: 'events' })
  const seen = new Set<SessionLogEvent>()
  life.events.watch((events) => {
    for (const event of events) {
      if (seen.has(event)) continue
      seen.add(event)
      list.append(eventItem(event))
    }
    while (list.childElementCount > events.length) list.firstElementChild?.remove()
    list.scrollTop = list.scrollHeight
  })
  return h('div', { class: 'event-log', role: 'log', 'aria-label': 'What happened to the session', tabindex: 0 }, [list])
}

function eventItem({ kind, name, detail, at }: SessionLogEvent): HTMLElement {
  return h('li', { class: `event event-${kind}` }, [
    icon(MARKS[kind]),
    h('span', {}, [h('code', {}, [name]), ` ${detail}`]),
    h('time', { class: 'ms', datetime: new Date(at).toISOString() }, [new Date(at).toLocaleTimeString('en-GB')]),
  ])
}
