/** Everything that the chat page shows to one player in one channel. */
import type { Stage } from '../activity/stage.js'
import { findSpot, spotsOf, type Spot } from '../channels.js'
import { customizedIn } from '../commands/guild-view.js'
import { EmulatorError } from '../error.js'
import { maySend, type Desk } from '../interactions/desk.js'
import { pickable } from '../interactions/picker.js'
import { peopleIn } from '../interactions/resolved.js'
import { findPlayer } from '../press/press.js'
import type { Player } from '../seed/seed.js'
import type { Service } from '../service.js'
import { inLanguage, textIn } from './localized.js'

export interface Rooms {
  service: Service
  stage: Stage
  desk: Desk
}

/** What does not depend on who looks. */
export function startOf({ service, desk, stage }: Rooms) {
  const { players, application } = service.seed
  return {
    application: { id: application.id, name: application.name },
    players: players.map((player) => ({ ...shownPlayer(player), locale: player.locale, adult: player.adult })),
    endpoint: desk.url ?? null,
    game: stage.game ?? null,
  }
}

/** @throws EmulatorError `unknown_user`, `bad_request`. */
export function viewOf({ as, channel }: { as: string; channel: string | undefined }, rooms: Rooms) {
  const { service, desk } = rooms
  const player = findPlayer(service.seed.players, as)
  const spots = spotsOf(player, service)
  const spot = channel === undefined ? spots[0] : findSpot(channel, player, service)
  if (spot === undefined) throw new EmulatorError('bad_request', `${player.username} sees no such channel.`)
  return {
    player: player.id,
    channel: spot.id,
    channels: desk.channels(player.id),
    maySend: maySend(player, spot),
    ageRestricted: spot.kind === 'guild' && spot.channel.nsfw,
    messages: desk.messageStore.list(spot.id, player.id).map(({ message, onlyFor }) => ({ ...message, ephemeral: onlyFor !== undefined })),
    commands: commandsIn(spot, player, service),
    people: peopleIn({ player, spot, service }).map(shownPlayer),
    roles: spot.kind === 'guild' ? spot.guild.roles.map(({ id, name }) => ({ id, name })) : [],
    places: spot.kind === 'guild' ? spot.guild.channels.map(({ id, name, type }) => ({ id, name, type })) : [],
    activity: activityIn(spot, rooms),
    endpoint: desk.url ?? null,
    game: rooms.stage.game ?? null,
    exchanges: desk.list().toReversed(),
  }
}

function commandsIn(spot: Spot, player: Player, service: Service) {
  const customized = spot.kind === 'guild' ? customizedIn(spot.guild.id, service) : new Set<string>()
  return pickable(player, spot, service).map((command) => ({
    ...inLanguage(command, player.locale),
    /** As the service's client labels a command with permissions of its own. */
    ...(customized.has(command.id) && { permissions: 'Not Synced' }),
  }))
}

function activityIn(spot: Spot, { stage }: Rooms) {
  const instance = stage.instances().find(({ channelId }) => channelId === spot.id)
  return instance === undefined ? null : { ...instance, page: stage.url ?? null }
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
