/** Limits screen: a gauge for every limit of the service, bursts with and without the SDK, and the risk of a block. */
import { useState } from 'preact/hooks'
import { nextSlot } from '../../game/limit-sample'
import { describeEdge, type LimitGauge as Gauge, ServiceLimitsMeter } from './service-limits'
import { useSampling, LimitGauge } from '../../ui/limit-gauge'
import { Panel } from 'kit/panel'
import { useDemo } from '../../context/use-demo'
import { BurstForm } from './burst-form'

const TITLES: Partial<Record<string, string>> = {
  global: 'All requests',
  create_lobby: 'Lobbies created',
  get_lobby: 'Lobbies read',
  delete_lobby: 'Lobbies deleted',
  add_lobby_member: 'Members added',
  remove_lobby_member: 'Members removed',
  join_lobby: 'Joins of one player',
  send_message: 'Messages of one player',
}

const INTRO =
  'Each plot shows the last minute: the area is what the emulator has counted, the dashed line is calls that wait in the clients of the game. ' +
  'The limits of a player show the one who has used most.'
const ABSENT =
  'Only the emulator that was started with this page reports its counts. Choose it on the screen Service; the limits of your own calls are on the screen Lobby.'

export function ServiceLimitsPanel() {
  const { workbench, faultControls } = useDemo()
  const [meter] = useState(() => new ServiceLimitsMeter(workbench.slots))
  useSampling('limits', () => {
    if (faultControls()) void meter.read()
  })
  const isAvailable = faultControls() !== undefined
  return (
    <Panel id="service-limits" title="Every limit of the service" intro={INTRO}>
      <div class="counted" hidden={!isAvailable}>
        <BurstForm meter={meter} />
        <EdgeRisk meter={meter} />
        <Gauges meter={meter} />
      </div>
      <p class="empty" hidden={isAvailable}>
        {ABSENT}
      </p>
    </Panel>
  )
}

function Gauges({ meter }: { meter: ServiceLimitsMeter }) {
  return (
    <ul class="gauges">
      {meter.gauges.value.map((gauge) => (
        <ServiceGauge gauge={gauge} key={gauge.name} />
      ))}
    </ul>
  )
}

function ServiceGauge({ gauge }: { gauge: Gauge }) {
  const { clock } = useDemo()
  const { name, used, limit, per, samples, nextAt, waiting, refused } = gauge
  const facts = [
    ['Next slot', nextSlot({ free: limit - used, nextAt }, clock.now())],
    ['Waiting', waiting],
    ['429', refused],
  ] as const
  return <LimitGauge bucket={name} title={TITLES[name] ?? name} {...{ used, limit, per, samples, facts }} />
}

function EdgeRisk({ meter }: { meter: ServiceLimitsMeter }) {
  const edge = meter.current.value?.edge
  const { limit = 1, used = 0 } = edge ?? {}
  return (
    <div class="edge-risk">
      <h3>Block of this address</h3>
      <meter
        aria-label="Refused requests that count towards a block"
        min={0}
        max={limit}
        value={used}
        low={limit / 10}
        high={limit / 2}
        optimum={0}
      />
      <p class="hint">{edge && describeEdge(edge)}</p>
      <p class="hint">
        The service answers 401, 403 and 429 only so often before it blocks an address as a whole.
      </p>
    </div>
  )
}
