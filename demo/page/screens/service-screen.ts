/** Panels of the service screen. */
import { ComparisonPanel } from '../panels/comparison-panel'
import { DeviceCodePanel } from '../panels/device-code-panel'
import { SavedServicesPanel } from '../panels/saved-services-panel'
import { ServiceSettingsPanel } from '../panels/service-settings-panel'

export const PANELS = {
  services: SavedServicesPanel,
  'service-settings': ServiceSettingsPanel,
  comparison: ComparisonPanel,
  'device-code': DeviceCodePanel,
}
