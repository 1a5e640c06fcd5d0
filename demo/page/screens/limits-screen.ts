/** Panel of the limits screen. */
import { ServiceLimitsPanel } from '../panels/service-limits-panel'

export const PANELS = { 'service-limits': ServiceLimitsPanel }
