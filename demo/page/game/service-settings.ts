/** Service as typed in: its fields, how they are kept, and which of them an error is about. */
import type { FoyerError } from 'foyer-sdk'
import { readSettings, saveSettings } from '../foundation/saved-settings'
import type { Preset } from './preset'

/** Fields of a service that can be typed in. Only `host` has no default. */
export const SERVICE_FIELDS = [
  'host',
  'applicationId',
  'redirectUri',
  'baseUrl',
  'authorizeUrl',
  'tokenUrl',
  'keysUrl',
  'revokeUrl',
  'deviceUrl',
  'issuer',
] as const
export type ServiceField = (typeof SERVICE_FIELDS)[number]

/** `saved`: id of the saved service that the fields belong to. `anyId`: an application id that the SDK refuses is sent all the same. */
export type ServiceSettings = { kind: 'emulator' | 'custom'; saved?: string; anyId?: 'yes' | 'no' } & Partial<
  Record<ServiceField, string>
>

export function loadService(preset: Preset | null): ServiceSettings {
  const { kind, anyId, ...fields } = readSettings('service')
  return {
    ...fields,
    kind: kind === 'custom' || !preset ? 'custom' : 'emulator',
    anyId: anyId === 'yes' ? 'yes' : 'no',
  }
}

export function saveService(settings: ServiceSettings): void {
  saveSettings('service', settings)
}

/** True if the SDK refuses the typed id for its format. */
export function isRefusedId({ kind, applicationId = '' }: ServiceSettings): boolean {
  return kind === 'custom' && applicationId !== '' && !/^\d+$/.test(applicationId)
}

/** Returns the id that is sent in place of the stand-in; undefined if the SDK sends its own. */
export function sentIdOf(settings: ServiceSettings): string | undefined {
  return settings.anyId === 'yes' && isRefusedId(settings) ? settings.applicationId : undefined
}

/** Returns the field that was typed in: for an error in a derived address, the one that it is derived from. Undefined if no field is to blame. */
export function blamedField(error: FoyerError, settings: ServiceSettings): ServiceField | undefined {
  const name = configurationField(error)
  const field = SERVICE_FIELDS.find((one) => one === name)
  if (settings[field ?? 'host']) return field
  if (settings.baseUrl && /^(?:token|keys)Url$/.test(name)) return 'baseUrl'
  return name === 'baseUrl' || name.endsWith('Url') ? 'host' : field
}

/** Parses the field from the message: `ConfigurationError` has no property for it. */
function configurationField(error: FoyerError): string {
  if (error.code === 'missing_service_host') return 'host'
  return /: (?:service\.)?(\w+)/.exec(error.message)?.[1] ?? ''
}
