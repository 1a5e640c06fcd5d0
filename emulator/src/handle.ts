/** What a program holds of a running emulator: its address, its secrets, and the hands on it. */
import type { Server } from 'node:http'
import { Registry } from './commands/registry.js'
import type { ServiceEvent } from './events.js'
import type { FaultRule } from './faults/fault-rule.js'
import type { Faults } from './faults/faults.js'
import type { LoggedRequest, RequestLog } from './http/request-log.js'
import { avatarUrl } from './oauth/claims.js'
import { revokePlayer } from './oauth/revocation.js'
import { findPlayer, press, type Choice } from './press/press.js'
import { pressDevice, type DeviceChoice } from './press/press-device.js'
import type { Service } from './service.js'
import type { State } from './state/state.js'

export interface EmulatorApplication {
  id: string
  name: string
  redirectUris: string[]
  /** Applications of the same publisher that use this one's sign-in. */
  children: { id: string; name: string }[]
  clientSecret: string
  botToken: string
  /** Ed25519, 64 hexadecimal digits. */
  publicKey: string
}

export interface EmulatorUser {
  id: string
  username: string
  globalName: string | null
  /** URL of an SVG. */
  avatar: string
}

export interface Emulator {
  readonly url: string
  readonly application: EmulatorApplication
  readonly users: EmulatorUser[]
  readonly controlToken: string
  /** The last 1000 requests, oldest first. */
  readonly requests: LoggedRequest[]
  /** Presses the consent page's button; resolves with the callback URL, which nobody has followed yet. */
  authorize(url: string, choice: Choice): Promise<{ redirect: string }>
  /** Moves the emulator's clock forward, by milliseconds: tokens, codes and all that has a deadline grow older at once. */
  advance(ms: number): void
  /** Sets what goes wrong with the next requests, in the place of all earlier rules; returns what is still to come. */
  faults(rules?: FaultRule | FaultRule[]): FaultRule[]
  /** Ends a player's access tokens (or refresh tokens) as time would, or revokes all that the player gave. */
  tokens(order: TokenOrder): void
  /** Answers for a player on the page where a device's code is typed. */
  device(choice: DeviceChoice): Promise<void>
  /** Forgets sessions, grants, tokens, installations, commands, faults and logged requests; application and credentials stay. */
  reset(): void
  /** Hears what happens, under the service's names for it; returns the undo. */
  subscribe(listener: (event: ServiceEvent) => void): () => void
  close(): Promise<void>
}

export interface TokenOrder {
  /** Id or username. */
  user: string
  action: 'expire' | 'revoke'
  /** What expires; `access` unless given. */
  kind?: 'access' | 'refresh'
}

interface Machine {
  log: RequestLog
  faults: Faults
  server: Server
}

export function createHandle(service: Service, { log, faults, server }: Machine): Emulator {
  const { url, seed, credentials, state, clock, events } = service
  const { clientSecret, botToken, publicKey, controlToken } = credentials
  const { id, name, redirectUris, children } = seed.application
  return {
    url,
    application: { id, name, redirectUris, children, clientSecret, botToken, publicKey },
    users: seed.players.map((player) => ({
      id: player.id,
      username: player.username,
      globalName: player.globalName,
      avatar: avatarUrl(player, url),
    })),
    controlToken,
    get requests() {
      return log.list()
    },
    authorize: async (target, choice) => ({ redirect: await press(target, choice, { origin: url, players: seed.players }) }),
    tokens: (order) => endTokens(order, service),
    device: (choice) => pressDevice(choice, { origin: url, players: seed.players }),
    faults: (rules) => {
      if (rules !== undefined) faults.set(rules)
      return faults.list()
    },
    reset: () => {
      state.clear()
      log.clear()
      faults.clear()
      new Registry(service).enableActivities()
    },
    advance: (ms) => clock.advance(ms),
    subscribe: (listener) => events.subscribe(listener),
    close: () => shutDown(server, state),
  }
}

function endTokens({ user, action, kind = 'access' }: TokenOrder, service: Service): void {
  const { id } = findPlayer(service.seed.players, user)
  if (action === 'revoke') revokePlayer(id, service.seed.application.id, service)
  else service.state.records.expirePlayer(id, kind === 'access' ? 'AccessToken' : 'RefreshToken')
}

async function shutDown(server: Server, state: State): Promise<void> {
  if (!server.listening) return
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
  state.close()
}
