/** Panels of the exchange screen. */
import { ExchangesPanel } from '../panels/exchanges-panel'
import { SequencePanel } from '../panels/sequence-panel'

export const PANELS = { exchanges: ExchangesPanel, sequence: SequencePanel }
