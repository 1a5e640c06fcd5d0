/** Form that saves the settings under a name, and the button that begins another service. */
import { useState } from 'preact/hooks'
import { useDemo } from '../context/use-demo'
import type { Say } from './service-entry'

export function SaveServiceForm({ say }: { say: Say }) {
  const { services, service } = useDemo()
  const { kind, saved } = service.value
  return (
    <div class="save-service">
      <NewNameForm say={say} />
      <button type="button" class="secondary" hidden={kind === 'custom' && saved === undefined} onClick={() => services.choose('custom')}>
        Enter another service
      </button>
    </div>
  )
}

function NewNameForm({ say }: { say: Say }) {
  const { services, service } = useDemo()
  const [name, setName] = useState('')
  const submit = (event: Event) => {
    event.preventDefault()
    services.saveAs(name.trim() || hostOf(service.value.host))
    setName('')
    say(`Saved as ${services.saved.value.at(-1)?.name}.`)
  }
  return (
    <form class="field" hidden={service.value.kind === 'emulator'} onSubmit={submit}>
      <label for="service-name">Save the settings as</label>
      <div class="inline">
        <input
          id="service-name"
          maxlength={60}
          autocomplete="off"
          aria-describedby="service-name-hint"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <button class="secondary">Save</button>
      </div>
      <p class="hint" id="service-name-hint">
        Empty: the host. Later changes are saved by themselves.
      </p>
    </form>
  )
}

function hostOf(host = ''): string {
  return URL.parse(host)?.host || 'Service'
}
