/** Changes of a player's device, voice, profile and relationships by hand, with the events that follow. */
import { dropUndefined, type Optional } from '../../foundation/values.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Player } from '../../state/seed/seed.js'
import type { PlayerChange } from './activity-controls.js'
import type { ActivityHost } from './activity-host.js'
import { LAYOUT_MODES, ORIENTATIONS, THERMAL_STATES, type VoiceState } from './device-state.js'
import type { Instance } from './instances.js'
import { fullUser, voiceState } from './rpc-context.js'

interface Target {
  player: Player
  host: ActivityHost
  context: EmulatorContext
}

export function changePlayer(change: PlayerChange, target: Target): void {
  changeDevice(change, target)
  if (change.voice !== undefined) changeVoice(change.voice, target)
  changeProfile(change, target)
}

function changeDevice(
  { layoutMode, orientation, thermalState, hardwareAcceleration }: PlayerChange,
  { player, host }: Target,
): void {
  const device = host.stores.devices.of(player.id)
  const send = (event: string, data: unknown) => host.notify(player.id, event, { data })
  if (hardwareAcceleration !== undefined) device.hardwareAcceleration = hardwareAcceleration
  if (layoutMode !== undefined) {
    device.layoutMode = layoutMode
    send('ACTIVITY_LAYOUT_MODE_UPDATE', { layout_mode: LAYOUT_MODES[layoutMode] })
  }
  if (orientation !== undefined) {
    device.orientation = orientation
    send('ORIENTATION_UPDATE', { screen_orientation: ORIENTATIONS[orientation], orientation })
  }
  if (thermalState !== undefined) {
    device.thermalState = thermalState
    send('THERMAL_STATE_UPDATE', { thermal_state: THERMAL_STATES[thermalState] })
  }
}

/** Everybody in the player's instances is notified. */
function changeVoice(given: Optional<VoiceState>, { player, host }: Target): void {
  const { voice } = host.stores.devices.of(player.id)
  const { speaking: spoke } = voice
  const change = dropUndefined(given)
  Object.assign(voice, change)
  for (const instance of instancesOf(player, host)) {
    const { channelId, guildId } = instance.location
    const nickname = host.stores.profiles.nickname(guildId, player.id)
    const send = (event: string, data: unknown) =>
      notifyInstance(instance, host, { event, data, about: { channel_id: channelId } })
    const { speaking, ...others } = change
    if (Object.keys(others).length > 0) send('VOICE_STATE_UPDATE', voiceState(player, { nickname, voice }))
    if (speaking !== undefined && speaking !== spoke)
      send(speaking ? 'SPEAKING_START' : 'SPEAKING_STOP', { channel_id: channelId, user_id: player.id })
  }
}

function changeProfile({ globalName, locale, nickname }: PlayerChange, { player, host }: Target): void {
  host.stores.profiles.change(player, { globalName, locale })
  if (globalName !== undefined) host.notify(player.id, 'CURRENT_USER_UPDATE', { data: fullUser(player) })
  if (nickname !== undefined) {
    const { guildId, name } = nickname
    host.stores.profiles.setNickname(guildId, player.id, name)
    const data = {
      user_id: player.id,
      guild_id: guildId,
      nick: name,
      avatar: null,
      avatar_decoration_data: null,
      color_string: null,
    }
    host.notify(player.id, 'CURRENT_GUILD_MEMBER_UPDATE', { data, about: { guild_id: guildId } })
  }
  if (globalName === undefined && nickname === undefined) return
  for (const instance of instancesOf(player, host)) {
    const data = { participants: host.participants(instance) }
    notifyInstance(instance, host, { event: 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE', data })
  }
}

function instancesOf(player: Player, host: ActivityHost): Instance[] {
  return host.instances.list().filter(({ id }) => host.instances.users(id).includes(player.id))
}

interface Notice {
  event: string
  data: unknown
  about?: Record<string, string>
}

function notifyInstance(instance: Instance, host: ActivityHost, { event, data, about }: Notice): void {
  for (const { id } of host.playersIn(instance)) host.notify(id, event, { data, ...(about && { about }) })
}
