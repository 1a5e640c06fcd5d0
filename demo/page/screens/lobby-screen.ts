/** Panels of the lobby screen. */
import { ApplicationLobbiesPanel } from '../panels/application-lobbies-panel'
import { LinkedChannelPanel } from '../panels/linked-channel-panel'
import { LobbySecretPanel } from '../panels/lobby-secret-panel'
import { MetadataConflictPanel } from '../panels/metadata-conflict-panel'
import { FirstPlayer, SecondPlayer } from '../panels/first-player'
import { LimitsPanel } from '../panels/limits-panel'

export const PANELS = {
  meeting: LobbySecretPanel,
  'slot-left': FirstPlayer,
  'slot-right': SecondPlayer,
  conflict: MetadataConflictPanel,
  lobbies: ApplicationLobbiesPanel,
  channel: LinkedChannelPanel,
  limits: LimitsPanel,
}
