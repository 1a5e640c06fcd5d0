/** Programming interface of the service's program on a computer (types only). */

export interface LocalProgramInput {
  /** Id or username of the player whose computer it is. */
  as: string
  /** Folder of the socket; created for this user alone if it is missing. Default: a new temporary one, which is removed again. */
  folder?: string | undefined
  /** Word at the beginning of the socket's name, and of launch links. Default: `service`. */
  brand?: string | undefined
  /** `required`: every command is refused with 4006 before AUTHENTICATE. Default: `optional`. */
  authenticate?: 'optional' | 'required' | undefined
  /** Opens a link of the game that no connected game can get. Default: the system opens it. */
  launch?: ((link: string) => void) | undefined
}

/** Running program of one player. */
export interface LocalProgram {
  /** Folder of the socket. */
  readonly folder: string
  /** Environment with which `createMainClient` finds the socket. */
  readonly environment: Record<string, string>
  /** Number of connected games. */
  readonly games: number
  /** Another player asks to join this one: the game gets ACTIVITY_JOIN_REQUEST. @throws EmulatorError `bad_request` without a presence that can be joined. */
  ask(from: string): void
  /** Another player invites this one: the game gets ACTIVITY_INVITE. @throws EmulatorError as `ask`. */
  invite(from: string): void
  /**
   * The player accepts the invitation of another one: the game gets ACTIVITY_JOIN with the join secret of the other's presence. A game that
   * is not connected is started by its launch link, and gets it once it has subscribed. @throws EmulatorError as `ask`.
   */
  accept(from: string): void
  /** Ends the program, as if its user quit it. */
  quit(): Promise<void>
}
