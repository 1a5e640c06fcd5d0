/** Client secret for tests at a service that insists on one: in memory only, and for the unrelated library only. */
import { Icon } from 'kit/icon'
import { Choice } from 'kit/field'
import { useDemo } from '../context/use-demo'

const METHODS = [
  { value: 'none', label: 'none' },
  { value: 'post', label: 'in the body' },
  { value: 'basic', label: 'as Basic' },
] as const

export function ClientAuthentication() {
  const { authentication } = useDemo().independent
  const { method, secret } = authentication.value
  return (
    <div class="authentication">
      <Choice<typeof method>
        name="client-authentication"
        legend="Client secret"
        hint="For oauth4webapi only."
        value={method}
        choices={METHODS}
        onChange={(chosen) => (authentication.value = { method: chosen, secret: chosen === 'none' ? '' : secret })}
      />
      {/* Browsers expect password fields in a form; this one sends nothing. */}
      <form class="field" hidden={method === 'none'} onSubmit={(event) => event.preventDefault()}>
        <label for="client-secret">Client secret, for this test</label>
        <input
          id="client-secret"
          type="password"
          autocomplete="off"
          aria-describedby="client-secret-hint"
          value={secret}
          onInput={({ currentTarget }) => (authentication.value = { method, secret: currentTarget.value })}
        />
        <p class="secret-warning" id="client-secret-hint">
          <Icon name="warning" />
          <span>
            A game never has a client secret: everybody who has its page could read it. Use the secret of a test application. It stays in
            memory, is never saved or exported, and is cleared when the settings change or the page is left. Foyer’s client has no option
            for it.
          </span>
        </p>
      </form>
    </div>
  )
}
