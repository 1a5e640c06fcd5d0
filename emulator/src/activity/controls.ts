/** What a test or a tool can do with the Activity. Types alone. */

export interface LaunchInput {
  /** Ids or usernames; all of them are in the same instance. */
  as: string | string[]
  /** A channel that they see; unless given, the first one. */
  channel?: string | undefined
  /** Reaches the game as `custom_id`. */
  customId?: string | undefined
  /** Reaches the game as `referrer_id`. */
  referrerId?: string | undefined
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
  /** Everybody who launched or joined and has not left. */
  users: string[]
  /** Those whose game has shaken hands. */
  participants: string[]
}

export interface ActivityControls {
  /** The host page; undefined while no game is set. */
  readonly url: string | undefined
  /** The port that the host page was meant to have, while another program has it; the host page is on another one then. */
  readonly busyPort: number | undefined
  /** Sets where the game is, and opens the host page. */
  serve(game: string): Promise<void>
  /** Launches for one player or several; `url` is the host page with a frame for each of them. */
  launch(order: LaunchInput): { instanceId: string; url: string }
  instances(): InstanceView[]
  /** Tells a player's game that an invitation was accepted (`ACTIVITY_JOIN`). */
  join(order: JoinInput): void
  /** Ends a player's game from outside, with a close code of the protocol. */
  disconnect(order: { as: string; code: number; message: string }): void
}
