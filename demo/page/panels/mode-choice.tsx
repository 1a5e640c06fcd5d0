/** Choice of the way to the consent page and back, with the meaning of the chosen one. */
import type { Mode } from '../game/arguments-form'
import { useDemo } from '../context/use-demo'
import { Choice } from 'kit/field'

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

const HINT_ID = 'mode-hint'

/** The loopback port needs the server that was started with the page. */
export function ModeChoice() {
  const { form, preset } = useDemo()
  const { mode } = form.value
  const modes = (['popup', 'redirect', 'loopback', 'scheme', 'paste'] as const).filter((one) => one !== 'loopback' || preset)
  const choose = (chosen: Mode) => {
    form.value = { ...form.value, mode: chosen, ...(chosen === 'redirect' && { ownPair: undefined }) }
  }
  return (
    <Choice
      name="mode"
      legend="Open the consent page"
      value={mode}
      choices={modes.map((value) => ({ value, label: WORDS[value].label }))}
      describedBy={HINT_ID}
      onChange={choose}
    >
      <p class="hint mode-hint" id={HINT_ID} hidden={WORDS[mode].hint === ''}>
        {WORDS[mode].hint}
      </p>
    </Choice>
  )
}
