/** Fields that change the authorize URL to something that the SDK would not send, to see how the service and the SDK refuse it. */
import { readChanges } from '../../game/request-changes'
import { SelectField } from 'kit/select-field'
import { useDemo } from '../../context/use-demo'

const UNSET = { value: '', label: 'not sent' }
const PROMPTS = [
  UNSET,
  ...['none', 'consent', 'login', 'select_account'].map((value) => ({ value, label: value })),
]
const RESPONSE_MODES = [
  UNSET,
  ...['query', 'fragment', 'form_post'].map((value) => ({ value, label: value })),
]

/** Open while something in it is set, since a closed one would hide why a sign-in fails. */
export function WrongOnPurpose() {
  const { form } = useDemo()
  const { staysOpen } = form.value
  const isUsed = readChanges(form.value).length > 0 || staysOpen
  return (
    <details class="more" open={isUsed}>
      <summary>Wrong on purpose: prompt, parameters</summary>
      <p class="hint">
        The SDK has no argument for these and would not send them. The page adds them to the address that the
        SDK opens. The SDK’s checks stay as they are.
      </p>
      <div class="grid">
        <Prompt />
        <ResponseMode />
      </div>
      <ExtraParameters />
      <label class="check">
        <input
          type="checkbox"
          id="stays-open"
          checked={staysOpen}
          onChange={() => (form.value = { ...form.value, staysOpen: !staysOpen })}
        />
        Stop at the service’s page: a popup of a failed sign-in stays open
      </label>
    </details>
  )
}

function Prompt() {
  const { form } = useDemo()
  const change = (prompt: string) => (form.value = { ...form.value, prompt })
  return (
    <SelectField
      id="change-prompt"
      label="Prompt"
      choices={PROMPTS}
      value={form.value.prompt}
      onChange={change}
    />
  )
}

function ResponseMode() {
  const { form } = useDemo()
  const change = (responseMode: string) => (form.value = { ...form.value, responseMode })
  const { responseMode } = form.value
  return (
    <SelectField
      id="change-response-mode"
      label="Response mode"
      choices={RESPONSE_MODES}
      value={responseMode}
      onChange={change}
    />
  )
}

function ExtraParameters() {
  const { form } = useDemo()
  return (
    <div class="field">
      <label for="change-extra">Extra parameters</label>
      <textarea
        id="change-extra"
        rows={2}
        spellcheck={false}
        autocomplete="off"
        placeholder="name=value"
        aria-describedby="change-extra-hint"
        value={form.value.extra}
        onInput={({ currentTarget }) => (form.value = { ...form.value, extra: currentTarget.value })}
      />
      <p class="hint" id="change-extra-hint">
        One a line. <code>state=forged</code> adds or replaces a parameter, <code>-nonce</code> leaves one
        out.
      </p>
    </div>
  )
}
