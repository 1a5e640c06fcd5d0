/** Live meter of every limit in use, and buttons that load the limits. */
import { useEffect, useState } from 'preact/hooks'
import type { DemoContext } from '../../context/demo-context'
import { everySecond } from '../../foundation/every-second'
import { explain } from '../../game/explain'
import type { FaultControls } from '../../game/fault-controls'
import { nextSlot } from '../../game/limit-sample'
import { type Gauge, inOrder, LimitsMeter } from './limits-meter'
import { useSampling, LimitGauge } from '../../ui/limit-gauge'
import { Panel } from 'kit/panel'
import { playerName } from '../../ui/player-face'
import { useDemo } from '../../context/use-demo'

const BURST = 80
/** One more than a player may join in 60 seconds (docs/interface/rate-limits.md#limits). */
const JOINS = 11
const REFUSES = 'The emulator refuses the next message for 3 seconds. Send one, and see it wait and arrive.'
const TAKEN_BACK = 'The next message passes.'
const INTRO =
  'Every rate limit in use. A call that exceeds one waits, or is rejected at once with the time to wait. Each plot shows the last minute: the area is usage, the dashed line is waiting calls.'

const WORDS: Partial<Record<string, string>> = {
  global: 'All requests',
  join_lobby: 'Joins',
  send_message: 'Messages',
  get_messages: 'Message requests',
}

export function LimitsPanel() {
  const { slots } = useDemo().workbench
  const [meter] = useState(() => new LimitsMeter(slots))
  useSampling('lobby', () => meter.tick())
  return (
    <Panel id="limits" title="Limits" intro={INTRO}>
      <LimitExperiments />
      <Gauges meter={meter} />
    </Panel>
  )
}

function Gauges({ meter }: { meter: LimitsMeter }) {
  const gauges = inOrder(meter.gauges.value)
  return (
    <>
      <p class="empty" hidden={gauges.length > 0}>
        No limited call has been made yet. Join a lobby, and its limits appear here.
      </p>
      <ul class="gauges">
        {gauges.map((gauge) => (
          <PlayerGauge gauge={gauge} key={gauge.id} />
        ))}
      </ul>
    </>
  )
}

function PlayerGauge({ gauge }: { gauge: Gauge }) {
  const context = useDemo()
  const { id, use, samples, answered429, refusedHere } = gauge
  const facts = [
    ['Next slot', nextSlot(use, context.clock.now())],
    ['Waiting', use.waiting],
    ['429', answered429],
    ['Refused here', refusedHere],
  ] as const
  const { limit, per, free } = use
  return (
    <LimitGauge
      bucket={id}
      title={titleOf(gauge, context)}
      used={limit - free}
      {...{ limit, per, samples, facts }}
    />
  )
}

function titleOf({ use: { bucket }, slot }: Gauge, { workbench }: DemoContext): string {
  const words = WORDS[bucket] ?? bucket
  const session = workbench.slots[slot]?.session.value
  return session ? `${words}, ${playerName({ ...session, held: true })}` : words
}

function LimitExperiments() {
  const { workbench, faultControls } = useDemo()
  const [outcome, setOutcome] = useState('')
  const [left] = workbench.slots
  const controls = faultControls()
  const isOutside = left.lobby.value === null
  const burst = async () => {
    setOutcome(`Sending ${BURST} messages at once …`)
    setOutcome(await left.sendMany(BURST))
  }
  const join = async () => {
    setOutcome(`Joining ${JOINS} times …`)
    setOutcome(await left.joinRepeatedly(workbench.secret.value, JOINS))
  }
  const { isArmed, look } = useArmed(controls)
  const refuse = async () => {
    setOutcome(
      isArmed ? await perform(controls, 'disarm', TAKEN_BACK) : await perform(controls, 'refuse', REFUSES),
    )
    await look()
  }
  return (
    <div class="experiments">
      <p class="hint">The first player sends the calls, after joining a lobby.</p>
      <div class="buttons">
        <button type="button" class="secondary" disabled={isOutside} onClick={() => void burst()}>
          Send {BURST} messages
        </button>
        <button type="button" class="secondary" disabled={isOutside} onClick={() => void join()}>
          Join {JOINS} times
        </button>
        <button
          type="button"
          class="secondary"
          disabled={isOutside}
          hidden={!controls}
          aria-pressed={isArmed}
          onClick={() => void refuse()}
        >
          {isArmed ? 'Take the refusal back' : 'Make the service refuse'}
        </button>
      </div>
      <p class="outcome" role="status">
        {outcome}
      </p>
    </div>
  )
}

/** Looks each second whether the refusal still waits for a message, while it does. */
function useArmed(controls: FaultControls | undefined): { isArmed: boolean; look: () => Promise<void> } {
  const [isArmed, setArmed] = useState(false)
  const look = async () => setArmed((await controls?.isArmed().catch(() => false)) ?? false)
  useEffect(() => (isArmed ? everySecond(() => void look()) : undefined), [isArmed])
  return { isArmed, look }
}

/** Resolves with the outcome in words. */
async function perform(
  controls: FaultControls | undefined,
  fault: 'refuse' | 'disarm',
  words: string,
): Promise<string> {
  try {
    await controls?.perform(fault)
    return words
  } catch (error) {
    return explain(error).advice
  }
}
