/** Everything that the chat page shows to one player in one channel. */
import type { ActivityService } from '../activity/activity-service.js'
import { findVisibleChannel, visibleChannels, type VisibleChannel } from '../guilds/channels.js'
import { customizedIn } from '../commands/guild-view.js'
import { EmulatorError } from '../foundation/error.js'
import { maySend, type InteractionService } from '../interactions/interaction-service.js'
import { availableCommands } from '../interactions/available-commands.js'
import { peopleIn } from '../interactions/resolved.js'
import { findPlayer } from '../consent-driver/approve.js'
import type { Player } from '../seed/seed.js'
import type { EmulatorContext } from '../context/context.js'
import { inLanguage, textIn } from './localized.js'

export interface Rooms {
  context: EmulatorContext
  activity: ActivityService
  interactions: InteractionService
}

/** What does not depend on who looks. */
export function startOf({ context, interactions, activity }: Rooms) {
  const { players, application } = context.seed
  return {
    application: { id: application.id, name: application.name },
    players: players.map((player) => ({ ...shownPlayer(player), locale: player.locale, adult: player.adult })),
    endpoint: interactions.url ?? null,
    game: activity.game ?? null,
  }
}

/** @throws EmulatorError `unknown_user`, `bad_request`. */
export function viewOf({ as, channel }: { as: string; channel: string | undefined }, rooms: Rooms) {
  const { context, interactions } = rooms
  const player = findPlayer(context.seed.players, as)
  const spots = visibleChannels(player, context)
  const location = channel === undefined ? spots[0] : findVisibleChannel(channel, player, context)
  if (location === undefined) throw new EmulatorError('bad_request', `${player.username} sees no such channel.`)
  return {
    player: player.id,
    channel: location.id,
    channels: interactions.channels(player.id),
    maySend: maySend(player, location),
    ageRestricted: location.kind === 'guild' && location.channel.nsfw,
    messages: interactions.messageStore
      .list(location.id, player.id)
      .map(({ message, onlyFor }) => ({ ...message, ephemeral: onlyFor !== undefined })),
    commands: commandsIn(location, player, context),
    people: peopleIn({ player, location, context }).map(shownPlayer),
    roles: location.kind === 'guild' ? location.guild.roles.map(({ id, name }) => ({ id, name })) : [],
    places: location.kind === 'guild' ? location.guild.channels.map(({ id, name, type }) => ({ id, name, type })) : [],
    activity: activityIn(location, rooms),
    endpoint: interactions.url ?? null,
    game: rooms.activity.game ?? null,
    exchanges: interactions.list().toReversed(),
  }
}

function commandsIn(location: VisibleChannel, player: Player, context: EmulatorContext) {
  const customized = location.kind === 'guild' ? customizedIn(location.guild.id, context) : new Set<string>()
  return availableCommands(player, location, context).map((command) => ({
    ...inLanguage(command, player.locale),
    /** As the service's client labels a command with permissions of its own. */
    ...(customized.has(command.id) && { permissions: 'Not Synced' }),
  }))
}

function activityIn(location: VisibleChannel, { activity }: Rooms) {
  const instance = activity.instances().find(({ channelId }) => channelId === location.id)
  return instance === undefined ? null : { ...instance, page: activity.url ?? null }
}

function shownPlayer({ id, username, globalName }: Player) {
  return { id, username, name: globalName ?? username }
}

/** Suggestions in the player's language; their values are sent as they are. */
export function suggestionsIn<Choice extends { name: string; name_localizations?: Record<string, string> | null }>(
  choices: Choice[],
  locale: string,
) {
  return choices.map((choice) => ({ ...choice, label: textIn(choice.name_localizations, locale, choice.name) }))
}
