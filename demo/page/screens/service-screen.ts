/** Panels of the service screen that compare libraries and ways to sign in. */
import { ComparisonPanel } from '../panels/comparison-panel'
import { DeviceCodePanel } from '../panels/device-code-panel'

export const PANELS = { comparison: ComparisonPanel, 'device-code': DeviceCodePanel }
