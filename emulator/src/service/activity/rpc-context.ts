/** Context of an RPC session: one game in one frame of a host window. */
import type { Player } from '../../state/seed/seed.js'
import type { Bearer } from '../oauth/find-bearer.js'
import type { ActivityStores } from './activity-stores.js'
import type { VoiceState } from './device-state.js'
import type { Dialog, DialogResult } from './host-dialogs.js'
import type { Instance } from './instances.js'
import type { CodeRequest } from './issue-code.js'

export type Platform = 'desktop' | 'mobile'

export interface FrameLocation {
  readonly frameId: string
  readonly player: Player
  readonly instance: Instance
  readonly platform: Platform
}

export interface AuthorizedFrame {
  readonly place: FrameLocation
  /** Token data of the player, once the game has authenticated. */
  scopes: ReadonlySet<string>
}

/** Message of a player in a channel of the chat. */
export interface ChatMessage {
  channelId: string
  author: Player
  content: string
  /** Further fields of the message, for example an invitation. */
  more?: Record<string, unknown>
}

/** Services of the host window that a session uses. */
export interface RpcContext {
  readonly stores: ActivityStores
  connected(game: AuthorizedFrame): void
  disconnected(game: AuthorizedFrame): void
  /** The game subscribed to an event. */
  subscribed(game: AuthorizedFrame, event: string): void
  participants(instance: Instance): unknown[]
  /** Players whose game is connected, in this instance. */
  playersIn(instance: Instance): Player[]
  /** True if a game of this player is connected. */
  isPlaying(userId: string): boolean
  /** Sends an event to all games of a player. `about` is compared with the arguments of the subscription. */
  notify(userId: string, event: string, payload: { data: unknown; about?: Record<string, string> }): void
  /** Sends RELATIONSHIP_UPDATE to the players related to this one. */
  presenceChanged(userId: string): void
  /** Shows the consent dialog; resolves with false for a refusal. */
  consent(game: AuthorizedFrame, scopes: string[]): Promise<boolean>
  /** Shows a dialog over the game. */
  ask(game: AuthorizedFrame, dialog: Dialog): Promise<DialogResult>
  /** Sends a message to the chat. */
  post(message: ChatMessage): void
  /** Stores an image, and returns its URL. */
  keepImage(image: { type: string; bytes: Buffer }): string
  /** True for a URL of the emulator's own files. */
  isOwnFile(url: string): boolean
  /** Address that opens the Activity with these parameters. */
  linkOf(parameters: Record<string, string | undefined>): string
  /** True if the player granted all of these scopes before. */
  granted(player: Player, scopes: string[]): boolean
  issueCode(request: CodeRequest): Promise<string>
  findBearer(token: string): Promise<Bearer | string>
}

/** In READY. */
export function readyUser(player: Player) {
  return {
    id: player.id,
    username: player.username,
    discriminator: '0',
    avatar: player.avatar,
    global_name: player.globalName,
  }
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

export function voiceState(
  player: Player,
  { nickname, voice }: { nickname: string | undefined; voice: VoiceState },
) {
  const { mute, deaf, selfMute, selfDeaf } = voice
  return {
    mute: false,
    nick: nickname ?? player.globalName ?? player.username,
    user: fullUser(player),
    voice_state: { mute, deaf, self_mute: selfMute, self_deaf: selfDeaf, suppress: false },
    volume: 100,
  }
}
