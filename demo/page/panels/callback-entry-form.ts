/** Form for a callback that this page cannot receive: that of a custom scheme, of another browser or of another device. */
import type { DemoContext } from '../panel-context'
import { explain } from '../game/error-advice'
import { copyButton } from '../ui/copy-button'
import { h } from '../ui/create-element'

const SCHEME = 'A custom scheme opens a program, not this page. Paste the whole address here, as a deep link would deliver it.'
const PASTE =
  'Open the address in another browser or on another device, sign in there, and paste the whole address at which it ends, even if that page does not load.'

export function callbackEntryForm(context: DemoContext): HTMLFormElement {
  const { signIn, form } = context
  const fault = h('p', { class: 'fault', id: 'callback-fault', role: 'alert' })
  const hint = h('p', { class: 'hint' })
  const input = h('input', { id: 'callback-url', autocomplete: 'off', spellcheck: 'false', 'aria-describedby': 'callback-fault' })
  const submit = async (event: Event) => {
    event.preventDefault()
    const url = input.value.trim()
    fault.textContent = ''
    try {
      await signIn.takeCallback(url)
      input.value = ''
    } catch (error) {
      fault.textContent = `${explain(error).code}: this is no address of this sign-in, which still waits.`
    }
  }
  signIn.progress.subscribe(({ phase }) => {
    if (phase !== 'waiting') return
    hint.textContent = form.value.mode === 'paste' ? PASTE : SCHEME
    input.value = ''
    fault.textContent = ''
  })
  return h('form', { class: 'field', hidden: true, onsubmit: (event) => void submit(event) }, [
    addressElsewhere(context),
    h('label', { for: 'callback-url' }, ['Callback URL']),
    h('div', { class: 'inline' }, [input, h('button', { class: 'secondary' }, ['Submit'])]),
    hint,
    fault,
    approval(context, (callback) => (input.value = callback)),
  ])
}

/** Authorize URL of the waiting attempt. */
function addressElsewhere({ signIn: { entered } }: DemoContext): HTMLElement {
  const link = h('a', { target: '_blank', rel: 'noopener noreferrer' }, ['Open in a new tab'])
  const copy = copyButton({ what: 'the address', text: () => entered.awaited.value?.url ?? '', label: 'Copy the address' })
  const element = h('div', { class: 'buttons address-elsewhere' }, [copy, link])
  entered.awaited.subscribe((awaited) => {
    element.hidden = awaited === undefined
    if (awaited) link.href = awaited.url
  })
  return element
}

/** With the emulator, the callback without another browser: to look at it, to change it, and to submit it. */
function approval(context: DemoContext, fill: (callback: string) => void): HTMLElement {
  const { signIn, preset } = context
  const approve = async () => {
    const awaited = signIn.entered.awaited.value
    const surface = context.faultControls()?.surfaceFor(preset?.players[0]?.id ?? '')
    if (awaited && surface) fill(await surface.open(awaited.url, awaited.options))
  }
  const button = h('button', { type: 'button', class: 'secondary', onclick: () => void approve() }, ['Let the emulator approve'])
  signIn.entered.awaited.subscribe((awaited) => (button.hidden = awaited === undefined || context.faultControls() === undefined))
  return button
}
