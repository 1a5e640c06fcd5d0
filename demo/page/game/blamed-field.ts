/** Field of the service settings that an error is about. */
import type { FoyerError } from 'foyer-sdk'
import { SERVICE_FIELDS, type ServiceField, type ServiceSettings } from './client-settings'
import { configurationField } from './explain'

/** Returns the field that was typed in: for an error in a derived address, the one that it is derived from. Undefined if no field is to blame. */
export function blamedField(error: FoyerError, settings: ServiceSettings): ServiceField | undefined {
  const name = configurationField(error)
  const field = SERVICE_FIELDS.find((one) => one === name)
  if (settings[field ?? 'host']) return field
  if (settings.baseUrl && /^(?:token|keys)Url$/.test(name)) return 'baseUrl'
  return name === 'baseUrl' || name.endsWith('Url') ? 'host' : field
}
