/** Service settings: the emulator that was started with the page, or any other service by its addresses. */
import type { FoyerError } from 'foyer-sdk'
import type { DemoContext, Mount } from '../panel-context'
import { discover } from '../game/discover-service'
import { configurationField, explain } from '../game/error-advice'
import { SERVICE_FIELDS, type ServiceField, type ServiceSettings } from '../game/client-settings'
import { copyButton } from '../ui/copy-button'
import { h } from '../ui/create-element'
import { choice, type FieldElement, field, type FieldOptions } from '../ui/input-field'
import { busy } from '../ui/busy-line'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'

const FILLED = 'Authorize URL, token URL, keys URL and issuer were filled in.'

type FieldWords = Pick<FieldOptions, 'label' | 'hint'> & Partial<Pick<FieldOptions, 'placeholder' | 'required' | 'type'>>

const WORDS: Record<ServiceField, FieldWords> = {
  host: { label: 'Host', hint: 'Base address of the service.', placeholder: 'https://service.example', required: true, type: 'url' },
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
  authorizeUrl: { label: 'Authorize URL', hint: 'Consent page for the player.', placeholder: 'host + /oauth2/authorize', type: 'url' },
  tokenUrl: {
    label: 'Token URL',
    hint: 'Redeems codes; must allow this origin (CORS).',
    placeholder: 'base URL + /oauth2/token',
    type: 'url',
  },
  keysUrl: { label: 'Keys URL', hint: 'Public keys of ID tokens (JWKS).', placeholder: 'base URL + /oauth2/keys', type: 'url' },
  revokeUrl: { label: 'Revoke URL', hint: 'Revokes tokens.', placeholder: 'base URL + /oauth2/token/revoke', type: 'url' },
  deviceUrl: { label: 'Device URL', hint: 'Issues device codes.', placeholder: 'base URL + /oauth2/device/authorize', type: 'url' },
  issuer: { label: 'Issuer', hint: 'The iss of ID tokens, compared exactly.', placeholder: 'host', type: 'url' },
}

export const mountService: Mount = (element, context) => {
  const { body } = panel(element, 'Settings', [
    'Use the emulator, or enter the addresses of a real deployment. Saved on this machine; contains no secret.',
  ])
  const fields = Object.fromEntries(SERVICE_FIELDS.map((name) => [name, serviceField(name, context)]))
  const custom = h(
    'div',
    { class: 'grid' },
    Object.values(fields).map((one) => one.element),
  )
  const emulator = emulatorCard(context)
  const fault = h('p', { class: 'fault', role: 'status' })
  const discovery = discoveryRow(context)
  const all = h('fieldset', { class: 'bare' }, [
    h('legend', { class: 'visually-hidden' }, ['Service settings']),
    kindChoice(context),
    emulator,
    discovery,
    custom,
    fault,
  ])
  body.append(all)
  context.service.subscribe((settings) => {
    const { kind } = settings
    for (const name of SERVICE_FIELDS) showValue(fields[name]?.input, settings[name])
    for (const radio of all.querySelectorAll<HTMLInputElement>('[name=service-kind]')) radio.checked = radio.value === kind
    emulator.hidden = kind !== 'emulator'
    custom.hidden = kind !== 'custom'
    discovery.hidden = kind !== 'custom'
  })
  context.connection.subscribe(({ error }) => showFault(error, fault, { fields, settings: context.service.value }))
  context.signIn.progress.subscribe(() => (all.disabled = context.signIn.busy))
}

/** Leaves an input alone that shows the value already, so that the caret stays where it is. */
function showValue(input: HTMLInputElement | undefined, value = ''): void {
  if (input && input.value.trim() !== value) input.value = value
}

/** Button that fills in the addresses from the discovery document of the host. */
function discoveryRow({ service }: DemoContext): HTMLElement {
  const status = h('p', { class: 'hint', role: 'status' }, ['Enter the host first; the other addresses can be discovered.'])
  const run = async () => {
    status.replaceChildren(busy('Reading the discovery document…'))
    try {
      const found = await discover(service.value.host ?? '')
      service.value = { ...service.value, ...found }
      status.textContent = found.deviceUrl === '' ? `${FILLED} It offers no device code.` : FILLED
    } catch (error) {
      status.textContent = error instanceof Error ? error.message : String(error)
    }
  }
  return h('div', { class: 'discovery' }, [
    h('button', { type: 'button', class: 'secondary', onclick: () => void run() }, ['Discover addresses']),
    status,
  ])
}

interface Form {
  fields: Partial<Record<string, FieldElement>>
  settings: ServiceSettings
}

/** Shows the error at the field that caused it, or below all fields. */
function showFault(error: FoyerError | undefined, line: HTMLElement, { fields, settings }: Form): void {
  for (const one of Object.values(fields)) one?.fault(undefined)
  line.replaceChildren()
  if (!error) return
  const { code, advice } = explain(error)
  const blamed = fields[typedField(configurationField(error), settings)]
  if (blamed) blamed.fault(`${code}: ${advice}`)
  else line.replaceChildren(icon('warning'), `${code}: ${advice}`)
}

/** Maps an error in a derived address to the field that it is derived from. */
function typedField(name: string, settings: ServiceSettings): string {
  if (settings.baseUrl && !settings[toField(name) ?? 'host'] && /^(?:token|keys)Url$/.test(name)) return 'baseUrl'
  const isAddress = name === 'baseUrl' || name.endsWith('Url')
  return isAddress && !settings[toField(name) ?? 'host'] ? 'host' : name
}

function toField(name: string): ServiceField | undefined {
  return SERVICE_FIELDS.find((one) => one === name)
}

function serviceField(name: ServiceField, { service }: DemoContext): FieldElement {
  return field(`service-${name}`, {
    ...WORDS[name],
    value: service.value[name] ?? '',
    onInput: (value) => (service.value = { ...service.value, [name]: value }),
  })
}

function kindChoice({ service, preset }: DemoContext): HTMLElement | false {
  if (!preset) return false
  return choice('service-kind', {
    legend: 'Connect to',
    value: service.value.kind,
    choices: [
      { value: 'emulator', label: 'the emulator' },
      { value: 'custom', label: 'another service' },
    ],
    onChange: (kind) => (service.value = { ...service.value, kind }),
  })
}

function emulatorCard({ preset }: DemoContext): HTMLElement {
  if (!preset) return h('div')
  const rows: [string, string][] = [
    ['Host', preset.host],
    ['Application id', preset.applicationId],
  ]
  return h('div', { class: 'emulator' }, [
    h('p', {}, [
      icon('check'),
      h('strong', {}, [preset.name]),
      ` with ${preset.players.length} players to sign in as. Nothing leaves this machine.`,
    ]),
    h(
      'dl',
      { class: 'facts' },
      rows.flatMap(([name, value]) => [
        h('dt', {}, [name]),
        h('dd', {}, [h('code', {}, [value]), copyButton({ what: `the ${name.toLowerCase()}`, text: () => value })]),
      ]),
    ),
  ])
}
