/** Panels of the lobby screen. */
import { ApplicationLobbiesPanel } from '../panels/application-lobby-list'
import { LinkedChannelPanel } from '../panels/linked-channel-panel'
import { LobbySecretPanel } from '../panels/lobby-secret-field'
import { MetadataConflictPanel } from '../panels/metadata-conflict-panel'
import { FirstPlayer, SecondPlayer } from '../panels/player-sign-in-and-lobby-panel'
import { LimitsPanel } from '../panels/rate-limits-panel'

export const PANELS = {
  meeting: LobbySecretPanel,
  'slot-left': FirstPlayer,
  'slot-right': SecondPlayer,
  conflict: MetadataConflictPanel,
  lobbies: ApplicationLobbiesPanel,
  channel: LinkedChannelPanel,
  limits: LimitsPanel,
}
