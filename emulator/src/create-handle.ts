/** Makes the handle of a running emulator. */
import type { Server } from 'node:http'
import type { Stage } from './activity/stage.js'
import { Registry } from './commands/registry.js'
import type { Desk } from './interactions/desk.js'
import type { Faults } from './faults/faults.js'
import type { Emulator, TokenOrder } from './handle.js'
import type { RequestLog } from './http/request-log.js'
import { avatarUrl } from './oauth/claims.js'
import { revokePlayer } from './oauth/revocation.js'
import { findPlayer, press } from './press/press.js'
import { pressDevice } from './press/press-device.js'
import type { Service } from './service.js'
import type { State } from './state/state.js'

interface Machine {
  log: RequestLog
  faults: Faults
  server: Server
  stage: Stage
  desk: Desk
}

export function createHandle(service: Service, { log, faults, server, stage, desk }: Machine): Emulator {
  const { url, seed, credentials, state, clock, events } = service
  const { clientSecret, botToken, publicKey, controlToken } = credentials
  const { id, name, redirectUris, children } = seed.application
  return {
    url,
    application: { id, name, redirectUris, children, clientSecret, botToken, publicKey },
    users: usersOf(service),
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
      stage.host.clear()
      desk.clear()
      new Registry(service).enableActivities()
    },
    advance: (ms) => clock.advance(ms),
    subscribe: (listener) => events.subscribe(listener),
    activity: stage,
    interactions: desk,
    close: async () => {
      await stage.close()
      await shutDown(server, state)
    },
  }
}

function usersOf({ seed, url }: Service): Emulator['users'] {
  return seed.players.map((player) => {
    const { id, username, globalName } = player
    return { id, username, globalName, avatar: avatarUrl(player, url) }
  })
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
