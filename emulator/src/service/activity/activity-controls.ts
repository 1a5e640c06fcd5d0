/** Programming interface of the Activity (types only). */
import type { Optional } from '../../foundation/values.js'
import type { DeviceState, VoiceState } from './device-state.js'
import type { Invitation } from './invitation-store.js'
import type { Entitlement, SkuInput } from './purchase-store.js'
import type { RelationshipKind } from './relationship-store.js'

export interface LaunchInput {
  /** Ids or usernames. All of them join the same instance. */
  as: string | string[]
  /** Channel visible to all of them. Default: the first one. */
  channel?: string | undefined
  /** Passed to the game as `custom_id`. */
  customId?: string | undefined
  /** Link with a picture that is followed. It brings its custom id, unless it is over (_assumed_). */
  linkId?: string | undefined
  /** Passed to the game as `referrer_id`. */
  referrerId?: string | undefined
  /** Platform of the host window. Default: desktop. */
  platform?: 'desktop' | 'mobile' | undefined
}

/** Changes that a person makes on a device or in a profile; absent fields stay. */
export interface PlayerChange {
  /** Id or username. */
  as: string
  layoutMode?: DeviceState['layoutMode'] | undefined
  orientation?: DeviceState['orientation'] | undefined
  /** Temperature of the device, on mobile. */
  thermalState?: DeviceState['thermalState'] | undefined
  hardwareAcceleration?: boolean | undefined
  voice?: Optional<VoiceState> | undefined
  globalName?: string | null | undefined
  locale?: string | undefined
  /** Name in a guild. */
  nickname?: { guildId: string; name: string } | undefined
}

export interface JoinInput {
  /** Id or username. */
  as: string
  secret: string
}

export interface InstanceView {
  id: string
  channelId: string
  guildId: string | null
  /** Players who launched or joined and have not left. */
  users: string[]
  /** Players whose game has completed the handshake. */
  participants: string[]
}

/** Where a player goes who has accepted an invitation. */
export interface AcceptedInvitation {
  instanceId: string
  /** For `activity` the host page, for `game` the game's join address, which contains the join secret. */
  url: string
  opens: 'activity' | 'game'
}

export interface ActivityControls {
  /** URL of the host page; undefined while no game is set. */
  readonly url: string | undefined
  /** Configured port of the host page, if another program uses it; the host page then listens on another port. */
  readonly busyPort: number | undefined
  /** Sets the URL of the game, and opens the host page. */
  serve(game: string): Promise<void>
  /** Launches for one player or several; `url` is the host page with a frame for each of them. */
  launch(input: LaunchInput): { instanceId: string; url: string }
  instances(): InstanceView[]
  /** Sends `ACTIVITY_JOIN` to a player's game: an invitation was accepted. */
  join(input: JoinInput): void
  /** Changes a player's device, voice or profile, and sends the events for it. */
  setPlayer(change: PlayerChange): void
  /** Sets the relationship of two players; all are friends at first. */
  relate(input: { as: string; with: string; kind: RelationshipKind }): void
  /** Presence that a player's game has set, with its secrets; undefined if there is none. */
  presence(as: string): Record<string, unknown> | undefined
  /** Invitations to a player that have not expired, oldest first. */
  invitations(as: string): Invitation[]
  /**
   * Accepts an invitation: launches into its instance, and sends the join secret of the player who sent it, if there is one. With the seed's
   * `application.joinUrl` and a join secret, a player who is not in the Activity is sent to the game's page instead.
   */
  accept(input: { as: string; invitation: string }): AcceptedInvitation
  /** Products of the application, after replacing them with `skus` if it is given. */
  skus(skus?: SkuInput[]): SkuInput[]
  /** Purchases of a player. */
  entitlements(as: string): Entitlement[]
  /**
   * Buys a product for a player, as if they had done so in the host window: their game and the backend get the event. Default: a purchase in test
   * mode. `test: false` is a real one, and `giver` (id or username) makes it a gift.
   */
  purchase(input: {
    as: string
    sku: string
    test?: boolean | undefined
    giver?: string | undefined
  }): Entitlement
  /** Withdraws a purchase, as a refund does: the backend gets `ENTITLEMENT_DELETE`. */
  refund(input: { entitlement: string }): Entitlement
  /**
   * Cancels a subscription, as its player does: it ends with what is paid for, 30 days after its begin or last renewal. The backend gets
   * `ENTITLEMENT_UPDATE` then.
   */
  cancelSubscription(input: { entitlement: string }): Entitlement
  /** Enrolls a player in a quest. */
  enroll(input: { as: string; quest?: string | undefined }): void
  /** Closes a player's game with a close code of the protocol. */
  disconnect(input: { as: string; code: number; message: string }): void
}
