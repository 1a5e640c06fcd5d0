/** Propagation of global commands: a place sees changes with a delay; using an older version reloads the command there (docs/interface/commands.md#propagation). */
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Command } from '../../model/stored-command.js'
import { ApiError, unknownCommand } from '../../check/api-error.js'

/** Global commands in the versions that have propagated to a guild or a direct message channel. */
export function globalCommandsAt(
  place: string,
  { state, clock, commandBehavior, seed }: EmulatorContext,
): Command[] {
  const reloaded = state.commands.reloaded(place)
  const arrived = state.commands.history().filter(({ commandId, version, changed }) => {
    const ahead = reloaded.get(commandId)
    return (
      changed + commandBehavior.globalDelay <= clock.now() ||
      (ahead !== undefined && BigInt(version) <= BigInt(ahead))
    )
  })
  const newest = new Map(arrived.map((past) => [past.commandId, past]))
  const global = { applicationId: seed.application.id, guildId: undefined }
  return [...newest.values()].flatMap(({ commandId, version, definition }) =>
    definition === undefined ? [] : [{ id: commandId, place: global, version, definition }],
  )
}

/** Milliseconds until a place sees the last change of the global command with this name; 0 if it sees it already. */
export function timeToArrive(name: string, { state, clock, commandBehavior }: EmulatorContext): number {
  const last = state.commands.history().findLast(({ definition }) => definition?.name === name)
  return last === undefined ? 0 : Math.max(0, last.changed + commandBehavior.globalDelay - clock.now())
}

interface CommandUse {
  commandId: string
  /** Version in the player's window. Default: the loaded one. */
  version?: string | undefined
}

interface At {
  /** Id of the guild or direct message channel. */
  place: string
  /** The commands in the versions of the place. */
  loaded: Command[]
  /** The current commands. */
  stored: Command[]
}

/**
 * Returns the stored command, if the version in use is current. @throws ApiError 404; 400 for an older version, which reloads the command
 */
export function requireCurrent(
  { commandId, version }: CommandUse,
  { place, loaded, stored }: At,
  { state }: EmulatorContext,
): Command {
  const command = loaded.find(({ id }) => id === commandId)
  const current = stored.find(({ id }) => id === commandId)
  if (command === undefined && current === undefined) throw unknownCommand()
  if (current !== undefined && (version ?? command?.version) === current.version) return current
  const newest =
    current?.version ?? state.commands.history().findLast((past) => past.commandId === commandId)?.version
  if (newest !== undefined) state.commands.reload(place, commandId, newest)
  throw outdated()
}

function outdated(): ApiError {
  return new ApiError({
    status: 400,
    code: 40043,
    message: 'This command is outdated, please try again in a few minutes',
    rule: 'the version in use is not the current one: the command is reloaded in this place',
  })
}
