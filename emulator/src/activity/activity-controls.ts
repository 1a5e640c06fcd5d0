/** Programming interface of the Activity (types only). */

export interface LaunchInput {
  /** Ids or usernames. All of them join the same instance. */
  as: string | string[]
  /** Channel visible to all of them. Default: the first one. */
  channel?: string | undefined
  /** Passed to the game as `custom_id`. */
  customId?: string | undefined
  /** Passed to the game as `referrer_id`. */
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
  /** Players who launched or joined and have not left. */
  users: string[]
  /** Players whose game has completed the handshake. */
  participants: string[]
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
  /** Closes a player's game with a close code of the protocol. */
  disconnect(input: { as: string; code: number; message: string }): void
}
