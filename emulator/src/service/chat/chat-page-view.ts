/** View model of the chat page: everything that one player sees in one channel. */
import type { ActivityService } from '../activity/activity-service.js'
import {
  findVisibleChannel,
  maySend,
  visibleChannels,
  type VisibleChannel,
} from '../guilds/visible-channels.js'
import type { LocalPrograms } from '../local-program/local-programs.js'
import { customizedIn } from '../commands/visible-commands.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import type { InteractionService } from '../interactions/interaction-service.js'
import { LIFETIME } from '../interactions/pending-interactions.js'
import { DEADLINE } from '../interactions/send-signed-request.js'
import { availableCommands } from '../interactions/available-commands.js'
import { usersIn } from '../interactions/resolve-options.js'
import { findPlayer } from '../../state/find-user.js'
import type { Player } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { inLanguage, textIn } from './shown-command.js'
import type { ParsedTexts } from './parsed-texts.js'

export interface ChatServices {
  context: EmulatorContext
  activity: ActivityService
  programs: LocalPrograms
  interactions: InteractionService
  texts: ParsedTexts
}

/** Data that is the same for all players. */
export function startOf({ context, interactions, activity }: ChatServices) {
  const { players, application } = context.seed
  return {
    /** Origin of the files that the emulator serves. */
    origin: context.url,
    application: { id: application.id, name: application.name },
    players: players.map((player) => ({
      ...shownPlayer(player),
      locale: player.locale,
      adult: player.adult,
    })),
    endpoint: interactions.url ?? null,
    game: activity.game ?? null,
  }
}

/** @throws EmulatorError `unknown_user`, `bad_request`. */
export function viewOf({ as, channel }: { as: string; channel: string | undefined }, services: ChatServices) {
  const { context, interactions } = services
  const player = findPlayer(context.seed.players, as)
  const visible = visibleChannels(player, context)
  const location = channel === undefined ? visible[0] : findVisibleChannel(channel, player, context)
  if (location === undefined)
    throw new EmulatorError('bad_request', `${player.username} sees no such channel.`)
  const kept = interactions.messageStore.list(location.id, player.id)
  return {
    player: player.id,
    channel: location.id,
    channels: interactions.channels(player.id),
    maySend: maySend(player, location),
    ageRestricted: location.kind === 'guild' && location.channel.nsfw,
    messages: kept.map(({ message, onlyFor }) => ({ ...message, ephemeral: onlyFor !== undefined })),
    /** Texts of the messages, each with its parsed Markdown. */
    markdown: services.texts.of(kept.map(({ message }) => message)),
    commands: commandsIn(location, player, context),
    people: usersIn({ player, location, context }).map(shownPlayer),
    roles: location.kind === 'guild' ? location.guild.roles.map(({ id, name }) => ({ id, name })) : [],
    places:
      location.kind === 'guild'
        ? location.guild.channels.map(({ id, name, type }) => ({ id, name, type }))
        : [],
    activity: activityIn(location, services),
    presences: services.activity.presences(),
    /** Players whose program runs on their computer, and those whom others can join. */
    programs: {
      running: services.programs.running(),
      joinable: services.programs.joinable(),
    },
    invitations: services.activity.invitations(player.id).map(({ id }) => id),
    endpoint: interactions.url ?? null,
    bots: interactions.bots,
    game: services.activity.game ?? null,
    exchanges: interactions.list().toReversed(),
    now: context.clock.now(),
    /** In ms: for the first response, and for further calls with the interaction's token. */
    deadlines: { response: DEADLINE, token: LIFETIME },
  }
}

function commandsIn(location: VisibleChannel, player: Player, context: EmulatorContext) {
  const customized = location.kind === 'guild' ? customizedIn(location.guild.id, context) : new Set<string>()
  return availableCommands(player, location, context).map((command) => ({
    ...inLanguage(command, player.locale),
    /** Same label as in the service's client, for a command with its own permissions. */
    ...(customized.has(command.id) && { permissions: 'Not Synced' }),
  }))
}

function activityIn(location: VisibleChannel, { activity }: ChatServices) {
  const instance = activity.instances().find(({ channelId }) => channelId === location.id)
  return instance === undefined ? null : { ...instance, page: activity.url ?? null }
}

function shownPlayer({ id, username, globalName }: Player) {
  return { id, username, name: globalName ?? username }
}

/** Localizes suggestions for the player; their values are sent unchanged. */
export function suggestionsIn<
  Choice extends { name: string; name_localizations?: Record<string, string> | null },
>(choices: Choice[], locale: string) {
  return choices.map((choice) => ({
    ...choice,
    label: textIn(choice.name_localizations, locale, choice.name),
  }))
}
