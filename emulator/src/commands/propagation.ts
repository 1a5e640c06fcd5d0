/** Global commands reach a place some time after they change; using an older version reloads the command there (S:274-275). */
import type { EmulatorContext } from '../context/context.js'
import type { Command } from '../model/command-definition.js'
import { ApiError, unknownCommand } from '../api/api-error.js'

/** The versions of the global commands that have reached a guild or a direct message channel. */
export function globalCommandsAt(place: string, { state, clock, commandBehavior, seed }: EmulatorContext): Command[] {
  const reloaded = state.commands.reloaded(place)
  const arrived = state.commands.history().filter(({ commandId, version, changed }) => {
    const ahead = reloaded.get(commandId)
    return changed + commandBehavior.globalDelay <= clock.now() || (ahead !== undefined && BigInt(version) <= BigInt(ahead))
  })
  const newest = new Map(arrived.map((past) => [past.commandId, past]))
  const global = { applicationId: seed.application.id, guildId: undefined }
  return [...newest.values()].flatMap(({ commandId, version, definition }) =>
    definition === undefined ? [] : [{ id: commandId, place: global, version, definition }],
  )
}

interface Wanted {
  commandId: string
  /** The version that the player's window shows; the loaded one unless given. */
  version?: string | undefined
}

interface At {
  /** Id of the guild or of the direct message channel. */
  place: string
  /** The commands as the place has them. */
  loaded: Command[]
  /** The commands as they are stored. */
  stored: Command[]
}

/** The stored command, when its version is the one in use. @throws Refusal 404; 400 for an older version, which reloads the command in the place */
export function requireCurrent({ commandId, version }: Wanted, { place, loaded, stored }: At, { state }: EmulatorContext): Command {
  const command = loaded.find(({ id }) => id === commandId)
  const current = stored.find(({ id }) => id === commandId)
  if (command === undefined && current === undefined) throw unknownCommand()
  if (current !== undefined && (version ?? command?.version) === current.version) return current
  const newest = current?.version ?? state.commands.history().findLast((past) => past.commandId === commandId)?.version
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
