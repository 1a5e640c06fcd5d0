/** Form for a callback that this page cannot receive: that of a custom scheme, of another browser or of another device. */
import { useState } from 'preact/hooks'
import type { Mode } from '../../game/arguments-form'
import { explain } from '../../game/explain'
import { CopyButton } from 'kit/copy-button'
import { useDemo } from '../../context/use-demo'

const SCHEME =
  'A custom scheme opens a program, not this page. Paste the whole address here, as a deep link would deliver it.'
const PASTE =
  'Open the address in another browser or on another device, sign in there, and paste the whole address at which it ends, even if that page does not load.'

const POPUP =
  'You gave another redirect URI. If the window ends at a page that does not return to the game, paste its whole address here. The SDK checks it.'
const HINTS: Partial<Record<Mode, string>> = { paste: PASTE, popup: POPUP, loopback: POPUP }

export function CallbackEntry() {
  const { signIn, form } = useDemo()
  const [url, setUrl] = useState('')
  const [fault, setFault] = useState('')
  const submit = async (event: Event) => {
    event.preventDefault()
    setFault('')
    try {
      await signIn.takeCallback(url.trim())
    } catch (error) {
      setFault(`${explain(error).code}: this is no address of this sign-in, which still waits.`)
    }
  }
  return (
    <form class="field" onSubmit={(event) => void submit(event)}>
      <AddressElsewhere />
      <label for="callback-url">Callback URL</label>
      <div class="inline">
        <input
          id="callback-url"
          autocomplete="off"
          spellcheck={false}
          aria-describedby="callback-fault"
          value={url}
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <button class="secondary">Submit</button>
      </div>
      <p class="hint">{HINTS[form.value.mode] ?? SCHEME}</p>
      <p class="fault" id="callback-fault" role="alert">
        {fault}
      </p>
      <Approval fill={setUrl} fail={setFault} />
    </form>
  )
}

/** Authorize URL of the waiting attempt. */
function AddressElsewhere() {
  const awaited = useDemo().signIn.entered.awaited.value
  if (!awaited) return null
  return (
    <div class="buttons address-elsewhere">
      <CopyButton what="the address" text={() => awaited.url} label="Copy the address" />
      <a target="_blank" rel="noopener noreferrer" href={awaited.url}>
        Open in a new tab
      </a>
    </div>
  )
}

/** With the emulator, the callback without another browser: to look at it, to change it, and to submit it. */
function Approval({ fill, fail }: Record<'fill' | 'fail', (text: string) => void>) {
  const { signIn, preset, faultControls } = useDemo()
  const awaited = signIn.entered.awaited.value
  const approve = async () => {
    const surface = faultControls()?.surfaceFor(preset?.players[0]?.id ?? '')
    try {
      if (awaited && surface) fill(await surface.open(awaited.url, awaited.options))
    } catch (error) {
      const { code, quote, detail } = explain(error)
      fail([code, quote ?? detail].filter(Boolean).join(': '))
    }
  }
  const isHidden = awaited === undefined || faultControls() === undefined
  return (
    <button type="button" class="secondary" hidden={isHidden} onClick={() => void approve()}>
      Let the emulator approve
    </button>
  )
}
