/** Everything that the inspector shows, in one response. */
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Guild } from '../../state/seed/seed.js'
import type { Emulator } from './emulator.js'

interface Shown {
  faults(): unknown
  limits(): unknown
  activity: Pick<Emulator['activity'], 'url'>
}

export function overview(context: EmulatorContext, shown: Shown) {
  const { clock, seed, state } = context
  return {
    url: context.url,
    ...clock.state(),
    application: { id: seed.application.id, name: seed.application.name },
    players: seed.players.map(({ id, username, globalName }) => ({ id, username, globalName })),
    tokens: state.records.countTokens(),
    guilds: seed.guilds.map(shownGuild),
    commands: shownCommands(context),
    lobbies: state.lobbies.list(),
    faults: shown.faults(),
    limits: shown.limits(),
    activity: shown.activity.url ?? null,
  }
}

function shownGuild({ id, name, channels, members, roles }: Guild) {
  return {
    id,
    name,
    channels: channels.map((channel) => ({ id: channel.id, name: channel.name })),
    members: members.map((member) => ({
      id: member.userId,
      roles: roles.filter((role) => member.roles.includes(role.id)).map((role) => role.name),
    })),
  }
}

/** Global commands first, then those of each guild. */
function shownCommands({ seed, state }: EmulatorContext) {
  const places = [{ id: undefined, name: undefined }, ...seed.guilds]
  return places.flatMap(({ id: guildId, name: guild }) =>
    state.commands.list({ applicationId: seed.application.id, guildId }).map(({ id, definition }) => ({
      id,
      name: definition.name,
      type: definition.type,
      guild,
      contexts: definition.contexts ?? null,
      permissions: definition.default_member_permissions,
      nsfw: definition.nsfw,
    })),
  )
}
