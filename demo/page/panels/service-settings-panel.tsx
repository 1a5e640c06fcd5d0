/** Service settings: the emulator that was started with the page, or any other service by its addresses. */
import { isRefusedId, blamedField, SERVICE_FIELDS } from '../game/service-settings'
import { STAND_IN } from '../game/connection'
import { discover } from '../game/discover'
import { explain } from '../game/explain'
import { Icon } from 'kit/icon'
import { Choice } from 'kit/field'
import { Panel } from 'kit/panel'
import { useStatus } from 'kit/use-status'
import { useDemo } from '../context/use-demo'
import { EmulatorFacts } from './emulator-facts'
import { ServiceAddress } from './service-address'

const INTRO = 'Use the emulator, or enter the addresses of a real deployment. Saved on this machine; contains no secret.'
const HOST_FIRST = 'Enter the host first; the other addresses can be discovered.'
const ANY_ID = `The SDK works with the id ${STAND_IN}, and this page puts yours into the requests. The tokens arrive, and then the check of aud fails, because the ID token names your id.`
const FILLED = 'Authorize URL, token URL, keys URL and issuer were filled in.'

const KINDS = [
  { value: 'emulator', label: 'the emulator' },
  { value: 'custom', label: 'another service' },
] as const

export function ServiceSettingsPanel() {
  const { preset, service, signIn } = useDemo()
  const isCustom = service.value.kind === 'custom'
  return (
    <Panel id="service-settings" title="Settings" intro={INTRO}>
      <fieldset class="bare" disabled={signIn.busy}>
        <legend class="visually-hidden">Service settings</legend>
        {preset && <KindChoice />}
        {preset && <EmulatorFacts preset={preset} hidden={isCustom} />}
        <Discovery hidden={!isCustom} />
        <Addresses hidden={!isCustom} />
      </fieldset>
    </Panel>
  )
}

function KindChoice() {
  const { service } = useDemo()
  const change = (kind: 'emulator' | 'custom') => (service.value = { ...service.value, kind })
  return <Choice name="service-kind" legend="Connect to" value={service.value.kind} choices={KINDS} onChange={change} />
}

/** Button that fills in the addresses from the discovery document of the host. */
function Discovery({ hidden }: { hidden: boolean }) {
  const { service } = useDemo()
  const { run, shown } = useStatus()
  const fill = () =>
    run('Reading the discovery document…', async () => {
      const found = await discover(service.value.host ?? '')
      service.value = { ...service.value, ...found }
      return found.deviceUrl === '' ? `${FILLED} It offers no device code.` : FILLED
    })
  return (
    <div class="discovery" hidden={hidden}>
      <button type="button" class="secondary" onClick={() => void fill()}>
        Discover addresses
      </button>
      <p class="hint" role="status">
        {shown || HOST_FIRST}
      </p>
    </div>
  )
}

/** Lets a tester send an application id that the SDK refuses for its format. */
function AnyApplicationId({ hidden }: { hidden: boolean }) {
  const { service } = useDemo()
  if (hidden || !isRefusedId(service.value)) return null
  const isSent = service.value.anyId === 'yes'
  const toggle = () => (service.value = { ...service.value, anyId: isSent ? 'no' : 'yes' })
  return (
    <>
      <label class="check">
        <input type="checkbox" id="any-id" checked={isSent} onChange={toggle} />
        Send this application id, although the SDK takes decimal numbers only
      </label>
      {isSent && <p class="hint">{ANY_ID}</p>}
    </>
  )
}

/** Shows the error of the settings at the field that caused it, or below all fields. */
function Addresses({ hidden }: { hidden: boolean }) {
  const { connection, service } = useDemo()
  const { error } = connection.value
  const blamed = error && blamedField(error, service.value)
  const fault = error && `${explain(error).code}: ${explain(error).advice}`
  return (
    <>
      <div class="grid" hidden={hidden}>
        {SERVICE_FIELDS.map((name) => (
          <ServiceAddress name={name} fault={name === blamed ? fault : undefined} key={name} />
        ))}
      </div>
      <AnyApplicationId hidden={hidden} />
      <p class="fault" role="status">
        {fault !== undefined && blamed === undefined && (
          <>
            <Icon name="warning" />
            {fault}
          </>
        )}
      </p>
    </>
  )
}
