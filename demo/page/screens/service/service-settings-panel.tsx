/** Service settings: the emulator that was started with the page, or any other service by its addresses. */
import { Fragment } from 'preact'
import { CopyButton } from 'kit/copy-button'
import { Choice, Field, type FieldOptions } from 'kit/field'
import { Icon } from 'kit/icon'
import { Panel } from 'kit/panel'
import { useStatus } from 'kit/use-status'
import { useDemo } from '../../context/use-demo'
import { STAND_IN } from '../../game/connection'
import { explain } from '../../game/explain'
import type { Preset } from '../../game/preset'
import { SERVICE_FIELDS, blamedField, isRefusedId, type ServiceField } from '../../game/service-settings'
import { discover } from './discover'

const INTRO =
  'Use the emulator, or enter the addresses of a real deployment. Saved on this machine; contains no secret.'
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
  return (
    <Choice
      name="service-kind"
      legend="Connect to"
      value={service.value.kind}
      choices={KINDS}
      onChange={change}
    />
  )
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
  // A service that was chosen just now has no mistakes yet.
  const isBlank = !service.value.host && !service.value.applicationId
  const error = isBlank ? undefined : connection.value.error
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

type FieldWords = Pick<FieldOptions, 'label' | 'hint'> &
  Partial<Pick<FieldOptions, 'placeholder' | 'required' | 'type'>>

const WORDS: Record<ServiceField, FieldWords> = {
  host: {
    label: 'Host',
    hint: 'Base address of the service.',
    placeholder: 'https://service.example',
    required: true,
    type: 'url',
  },
  applicationId: {
    label: 'Application id',
    hint: 'Your application’s number at the service.',
    placeholder: '1234567890123456789',
    required: true,
  },
  redirectUri: {
    label: 'Redirect URI',
    hint: 'Registered at the service. Empty: callback.html for a popup, this page for a redirect.',
    type: 'url',
  },
  baseUrl: { label: 'Base URL', hint: 'Root of its API.', placeholder: 'host + /api/v10', type: 'url' },
  authorizeUrl: {
    label: 'Authorize URL',
    hint: 'Consent page for the player.',
    placeholder: 'host + /oauth2/authorize',
    type: 'url',
  },
  tokenUrl: {
    label: 'Token URL',
    hint: 'Redeems codes; must allow this origin (CORS).',
    placeholder: 'base URL + /oauth2/token',
    type: 'url',
  },
  keysUrl: {
    label: 'Keys URL',
    hint: 'Public keys of ID tokens (JWKS).',
    placeholder: 'base URL + /oauth2/keys',
    type: 'url',
  },
  revokeUrl: {
    label: 'Revoke URL',
    hint: 'Revokes tokens.',
    placeholder: 'base URL + /oauth2/token/revoke',
    type: 'url',
  },
  deviceUrl: {
    label: 'Device URL',
    hint: 'Issues device codes.',
    placeholder: 'base URL + /oauth2/device/authorize',
    type: 'url',
  },
  issuer: {
    label: 'Issuer',
    hint: 'The iss of ID tokens, compared exactly.',
    placeholder: 'host',
    type: 'url',
  },
}

interface Props {
  name: ServiceField
  fault: string | undefined
}

function ServiceAddress({ name, fault }: Props) {
  const { service } = useDemo()
  const change = (value: string) => (service.value = { ...service.value, [name]: value })
  return (
    <Field
      id={`service-${name}`}
      {...WORDS[name]}
      value={service.value[name] ?? ''}
      fault={fault}
      onInput={change}
    />
  )
}

/** The players of the emulator, and what a game enters to use it. */
function EmulatorFacts({ preset, hidden }: { preset: Preset; hidden: boolean }) {
  const { reach } = useDemo()
  // Draws again after a restart, which replaces the values of the preset in place.
  void reach.value
  const facts = [
    { name: 'Host', value: preset.host },
    { name: 'Application id', value: preset.applicationId },
  ]
  return (
    <div class="emulator" hidden={hidden}>
      <p>
        <Icon name="check" />
        <strong>{preset.name}</strong> with {preset.players.length} players to sign in as. Nothing leaves this
        machine.
      </p>
      <dl class="facts">
        {facts.map(({ name, value }) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
              <CopyButton what={`the ${name.toLowerCase()}`} text={() => value} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </div>
  )
}
