/** Types of the demo's server: acts of its endpoints, and what they are given. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type * as Sdk from 'foyer-sdk/server'

/** The module `foyer-sdk/server`, loaded from its sources. */
export type ServerSdk = typeof Sdk
export type LoadSdk = () => Promise<ServerSdk>
export type BackendClient = Sdk.ApplicationClient

/** An act of an endpoint: takes the body of the page's request, and returns the body of its response. */
export type Act = (body: never) => unknown
export type Acts = Record<string, Act>

/** Resolves with true if it served the request. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

/** Entries of the emulator's control plane, as far as the page shows them. */
export interface LobbyEntry {
  lobby: {
    id: string
    applicationId: string
    bySecret: boolean
    channelId: string | null
    idleSeconds: number
    metadata: Record<string, string> | null
    members: { userId: string }[]
  }
  closesAt: number | null
}
export interface GuildEntry {
  id: string
  members: { id: string }[]
}
export interface Overview {
  now: number
  lobbies: LobbyEntry[]
  guilds: GuildEntry[]
  players: { id: string; username: string }[]
}

/** Headers that the emulator's limits may have. */
export type HeaderMode = 'visible' | 'hidden' | 'absent'
/** Numbers of refusals, by the name of their limit. */
export type Refusals = Record<string, number>

/** The loopback listener of the SDK. */
export interface Loopback {
  readonly redirectUri: string
  expect(callback: { belongs(url: string): boolean; take(url: string): void; giveUp(): void }): void
  end(): void
  close(): void
}
export type LoadLoopback = () => Promise<{ openLoopback: () => Promise<Loopback> }>
