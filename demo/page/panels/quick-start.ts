/** Button of the first minute: signs a ready-made player in, and shows the measured result with the next steps. */
import { onChange } from '../on-change'
import type { DemoContext } from '../panel-context'
import { findQuickStart, type QuickStartResult } from '../game/measure-quick-start'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'

/** Creates the button with its result; without an emulator, the way to get one. */
export function quickStart(context: DemoContext): HTMLElement {
  const hint = h('p', { class: 'hint', id: 'quick-start-hint' })
  const result = h('div', { class: 'quick-result', role: 'status' })
  const run = async () => {
    result.replaceChildren()
    const measured = await findQuickStart(context)?.run()
    if (measured) result.replaceChildren(...resultWords(measured, context))
  }
  const label = [icon('clock'), 'Start in 10 seconds']
  const button = h(
    'button',
    { type: 'button', class: 'secondary wide', id: 'quick-start', 'aria-describedby': hint.id, onclick: () => void run() },
    label,
  )
  const element = h('div', { class: 'quick-start' }, [button, hint, result])
  const show = () => {
    const quick = findQuickStart(context)
    button.hidden = quick === undefined
    element.hidden = Boolean(context.connection.value.client?.getActivityLaunch())
    hint.replaceChildren(...(quick ? [offer(quick.player)] : withoutEmulator(context)))
  }
  context.connection.subscribe(show)
  // Another sign-in has another result.
  onChange(context.signIn.progress, ({ phase, mode }) => {
    button.setAttribute('aria-disabled', String(context.signIn.busy))
    if (phase === 'idle' || mode !== 'emulator') result.replaceChildren()
  })
  return element
}

function offer(player: string): string {
  return `Signs ${player} in at the emulator beside this page, which approves by itself: nothing to install, enter or approve.`
}

function withoutEmulator({ preset, connection }: DemoContext): (Node | string)[] {
  if (preset || connection.value.client) return []
  return [
    'This page was served alone. ',
    h('code', {}, ['npm run demo']),
    ' starts an emulator beside it, or enter a service under Service.',
  ]
}

function resultWords({ ms, requests, checks }: QuickStartResult, { address }: DemoContext): HTMLElement[] {
  const link = (screen: 'exchange' | 'lobby', text: string) => h('a', { href: address.linkTo(screen) }, [text])
  return [
    h('p', {}, [`Signed in after ${(ms / 1000).toFixed(1)} s: ${requests} requests, ${checks} checks passed.`]),
    h('p', { class: 'hint' }, ['Next: ', link('exchange', 'what was sent'), ', or ', link('lobby', 'two players in a lobby'), '.']),
  ]
}
