/** Makes the handle of a running emulator. */
import type { Stage } from './activity/stage.js'
import { Registry } from './commands/registry.js'
import type { Desk } from './interactions/desk.js'
import type { Faults } from './faults/faults.js'
import type { Emulator, EmulatorUser, TokenOrder } from './handle.js'
import type { RequestLog } from './http/request-log.js'
import type { Limits } from './limits/limits.js'
import type { Listening } from './listen.js'
import type { IdleWatch } from './lobbies/idle-watch.js'
import { avatarUrl } from './oauth/claims.js'
import { revokePlayer } from './oauth/revocation.js'
import { findPlayer, press } from './press/press.js'
import { pressDevice } from './press/press-device.js'
import type { Player } from './seed/seed.js'
import type { Service } from './service.js'

interface Machine {
  log: RequestLog
  faults: Faults
  limits: Limits
  listening: Listening
  idleWatch: IdleWatch
  stage: Stage
  desk: Desk
}

export function createHandle(service: Service, machine: Machine): Emulator {
  const { log, idleWatch, stage, desk } = machine
  const { url, seed, credentials, clock, events } = service
  const { clientSecret, botToken, publicKey, controlToken } = credentials
  const { id, name, redirectUris, children } = seed.application
  let closing: Promise<void> | undefined
  const close = async () => {
    await stage.close()
    await shutDown(machine)
    service.state.close()
  }
  return {
    url,
    networkUrls: machine.listening.network.map((address) => `http://${address}:${service.port}`),
    application: { id, name, redirectUris, children, clientSecret, botToken, publicKey },
    users: seed.players.map((player) => userOf(player, url)),
    controlToken,
    get requests() {
      return log.list()
    },
    authorize: async (target, choice) => ({ redirect: await press(target, choice, { origin: url, players: seed.players }) }),
    tokens: (order) => endTokens(order, service),
    device: (choice) => pressDevice(choice, { origin: url, players: seed.players }),
    ...createKnobs(machine),
    reset: () => reset(service, machine),
    advance: (ms) => {
      clock.advance(ms)
      idleWatch.look()
    },
    subscribe: (listener) => events.subscribe(listener),
    activity: stage,
    interactions: desk,
    close: () => (closing ??= close()),
  }
}

/** Each sets what it is given, and says what is set. */
function createKnobs({ faults, limits }: Machine): Pick<Emulator, 'faults' | 'limits'> {
  return {
    faults: (rules) => {
      if (rules !== undefined) faults.set(rules)
      return faults.list()
    },
    limits: (input) => {
      if (input !== undefined) limits.set(input)
      return limits.view()
    },
  }
}

function reset(service: Service, { log, faults, limits, idleWatch, stage, desk }: Machine): void {
  service.state.clear()
  log.clear()
  faults.clear()
  limits.clear()
  idleWatch.look()
  stage.host.clear()
  desk.clear()
  new Registry(service).enableActivities()
}

function userOf(player: Player, url: string): EmulatorUser {
  const { id, username, globalName } = player
  return { id, username, globalName, avatar: avatarUrl(player, url) }
}

function endTokens({ user, action, kind = 'access' }: TokenOrder, service: Service): void {
  const { id } = findPlayer(service.seed.players, user)
  if (action === 'revoke') revokePlayer(id, service.seed.application.id, service)
  else service.state.records.expirePlayer(id, kind === 'access' ? 'AccessToken' : 'RefreshToken')
}

async function shutDown({ listening, idleWatch }: Pick<Machine, 'listening' | 'idleWatch'>): Promise<void> {
  idleWatch.stop()
  await listening.close()
}
