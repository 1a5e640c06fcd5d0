/** Choice of the way to the consent page and back, with the meaning of the chosen one. */
import type { DemoContext } from '../panel-context'
import type { Mode } from '../game/sign-in-arguments'
import { h } from '../ui/create-element'
import { choice } from '../ui/input-field'

const WORDS: Record<Mode, { label: string; hint: string }> = {
  popup: { label: 'in a popup', hint: '' },
  redirect: { label: 'in place of this page', hint: '' },
  loopback: {
    label: 'loopback port',
    hint: 'As an installed game: a tab of its own, and the callback goes to a port that the server of this page opens on 127.0.0.1.',
  },
  scheme: {
    label: 'custom scheme',
    hint: 'As an installed game: the system delivers the callback to the program of the scheme. No page can receive it, so you enter it.',
  },
  paste: {
    label: 'paste the callback',
    hint: 'Sign in with another browser or device, copy the address at which it ends, and paste it here. The SDK checks it like any callback.',
  },
}

/** The loopback port needs the server that was started with the page. */
export function modeChoice({ form, preset }: DemoContext): HTMLElement {
  const modes = (['popup', 'redirect', 'loopback', 'scheme', 'paste'] as const).filter((mode) => mode !== 'loopback' || preset)
  const hint = h('p', { class: 'hint mode-hint', id: 'mode-hint' })
  const fieldset = choice('mode', {
    legend: 'Open the consent page',
    value: form.value.mode,
    choices: modes.map((value) => ({ value, label: WORDS[value].label })),
    onChange: (mode) => (form.value = { ...form.value, mode, ...(mode === 'redirect' && { ownPair: undefined }) }),
  })
  fieldset.setAttribute('aria-describedby', hint.id)
  fieldset.append(hint)
  form.subscribe(({ mode }) => {
    hint.textContent = WORDS[mode].hint
    hint.hidden = WORDS[mode].hint === ''
  })
  return fieldset
}
