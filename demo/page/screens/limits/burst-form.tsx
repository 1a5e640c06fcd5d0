/** Form of the limits screen: sends a burst, and sets what the service reports about its limits. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { SelectField } from 'kit/select-field'
import { useStatus, type Status } from 'kit/use-status'
import {
  describeBurst,
  resetLimits,
  sendBurst,
  setLimits,
  type HeaderMode,
  type ServiceLimitsMeter,
} from './service-limits'

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

const HEADERS: readonly { value: HeaderMode; label: string }[] = [
  { value: 'visible', label: 'readable' },
  { value: 'hidden', label: 'not readable (CORS)' },
  { value: 'absent', label: 'not sent' },
]

const TOTALS = [
  { value: 'usual', label: '50 in a second' },
  { value: 'raised', label: '1,200 in a second, raised on request' },
] as const

/** Settings of the emulator's limits: they apply at once, and show what another page has set. */
function LimitSettings({ meter, run }: { meter: ServiceLimitsMeter; run: Status['run'] }) {
  const read = meter.current.value
  const [headers, setHeaders] = useState<string>('visible')
  const [total, setTotal] = useState<string>('usual')
  useLayoutEffect(() => {
    if (!read) return
    if (!hasFocus('limit-headers')) setHeaders(read.headers)
    if (!hasFocus('limit-total')) setTotal(read.raised ? 'raised' : 'usual')
  }, [read])
  const changeHeaders = (value: string) => {
    setHeaders(value)
    const chosen = HEADERS.find((one) => one.value === value)
    if (chosen)
      void run('Setting …', () =>
        setLimits({ headers: chosen.value }).then(() => `Rate limit headers: ${chosen.label}.`),
      )
  }
  const changeTotal = (value: string) => {
    setTotal(value)
    void run('Setting …', () =>
      setLimits({ raised: value === 'raised' }).then(() => 'The limit of all requests was set.'),
    )
  }
  return (
    <>
      <SelectField
        id="limit-headers"
        label="Rate limit headers"
        choices={HEADERS}
        value={headers}
        onChange={changeHeaders}
      />
      <SelectField
        id="limit-total"
        label="All requests together"
        choices={TOTALS}
        value={total}
        onChange={changeTotal}
      />
    </>
  )
}

/** A list that is being used keeps what is chosen in it. */
function hasFocus(id: string): boolean {
  return document.activeElement?.id === id
}
