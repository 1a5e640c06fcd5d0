/** Form of the limits screen: sends a burst, and sets what the service reports about its limits. */
import { useState } from 'preact/hooks'
import { describeBurst, resetLimits, sendBurst, type ServiceLimitsMeter } from '../limits/service-limits'
import { SelectField } from 'kit/select-field'
import { useStatus } from 'kit/use-status'
import { LimitSettings } from './limit-settings'

const CALLS = [
  { value: 'get_lobby', label: 'read a lobby' },
  { value: 'add_lobby_member', label: 'add a member to a lobby' },
] as const

const HINT =
  'The backend of the game sends the requests with its bot token, all at once. Foyer starts each when its limits allow it; without Foyer, the service refuses what is too much.'

export function BurstForm({ meter }: { meter: ServiceLimitsMeter }) {
  const { isRunning, shown, run } = useStatus()
  const [count, setCount] = useState('600')
  const [call, setCall] = useState<string>(CALLS[0].value)
  const burst = ({ plain }: { plain: boolean }) =>
    run(`Sending ${Number(count)} requests at once …`, async () =>
      describeBurst(await sendBurst({ count: Number(count), call, plain }), { plain }),
    )
  const reset = () =>
    run('Resetting …', async () => {
      await resetLimits()
      meter.clear()
      return 'All counts begin again.'
    })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void burst({ plain: event.submitter?.getAttribute('value') === 'plain' })
  }
  return (
    <form class="burst" aria-label="Burst" onSubmit={submit}>
      <p class="hint">{HINT}</p>
      <div class="burst-fields">
        <CountField count={count} onInput={setCount} />
        <SelectField id="burst-call" label="Each of them" choices={CALLS} value={call} onChange={setCall} />
        <LimitSettings meter={meter} run={run} />
      </div>
      <BurstButtons disabled={isRunning} onReset={() => void reset()} />
      <p class="outcome" role="status">
        {shown}
      </p>
    </form>
  )
}

function CountField({ count, onInput }: { count: string; onInput: (count: string) => void }) {
  return (
    <div class="field">
      <label for="burst-count">Requests</label>
      <input
        id="burst-count"
        type="number"
        min={1}
        max={2000}
        required
        value={count}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </div>
  )
}

/** The value of a submit button decides between a burst with the SDK and one without it. */
function BurstButtons({ disabled, onReset }: { disabled: boolean; onReset: () => void }) {
  return (
    <div class="buttons">
      <button type="submit" value="sdk" disabled={disabled}>
        Burst with Foyer
      </button>
      <button type="submit" class="secondary" value="plain" disabled={disabled}>
        Burst without Foyer
      </button>
      <button type="button" class="secondary" disabled={disabled} onClick={onReset}>
        Reset the counts
      </button>
    </div>
  )
}
