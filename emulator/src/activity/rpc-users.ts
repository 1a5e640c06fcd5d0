/** User payloads of the embedded protocol. */
import type { Player } from '../seed/seed.js'
import type { VoiceState } from './device-state.js'

/** In READY. */
export function readyUser(player: Player) {
  return { id: player.id, username: player.username, discriminator: '0', avatar: player.avatar, global_name: player.globalName }
}

/** In the response to AUTHENTICATE. */
export function authenticatedUser(player: Player) {
  return { ...readyUser(player), public_flags: 0 }
}

/** In relationships, events and voice states. */
export function fullUser(player: Player) {
  return { ...readyUser(player), flags: 0, bot: false, premium_type: 0, avatar_decoration_data: null }
}

/** In lists of participants. */
export function participant(player: Player, { nickname }: { nickname: string | undefined }) {
  return { ...fullUser(player), nickname: nickname ?? player.globalName ?? player.username }
}

export function voiceState(player: Player, { nickname, voice }: { nickname: string | undefined; voice: VoiceState }) {
  const { mute, deaf, selfMute, selfDeaf } = voice
  return {
    mute: false,
    nick: nickname ?? player.globalName ?? player.username,
    user: fullUser(player),
    voice_state: { mute, deaf, self_mute: selfMute, self_deaf: selfDeaf, suppress: false },
    volume: 100,
  }
}
