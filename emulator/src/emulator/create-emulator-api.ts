/** Implements the `Emulator` interface. */
import { removeJoinedMembers } from '../service/guilds/member-permissions.js'
import { findPlayer } from '../state/find-user.js'
import type { ActivityService } from '../service/activity/activity-service.js'
import type { LocalPrograms } from '../service/local-program/local-programs.js'
import { Registry } from '../service/commands/registry.js'
import type { EventDeliveries } from '../service/webhooks/event-deliveries.js'
import type { Gateway } from '../service/gateway/gateway.js'
import type { InteractionService } from '../service/interactions/interaction-service.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import { dropUndefined } from '../foundation/values.js'
import type { Faults } from '../service/faults/faults.js'
import { checkedCalls } from '../api/control/checked-calls.js'
import type { Emulator, EmulatorUser, TokenRequest } from '../api/control/emulator.js'
import type { RequestLog } from '../api/request/request-log.js'
import type { Limits } from '../service/limits/limits.js'
import type { ClockChange } from '../state/clock.js'
import type { Listening } from '../foundation/listening.js'
import type { IdleWatch } from '../service/lobbies/idle-watch.js'
import { avatarUrl } from '../service/oauth/claims-of.js'
import { revokePlayer } from '../service/oauth/revoke-all.js'
import { approveAuthorization, approveDevice } from '../tools/consent-driver/approve-authorization.js'
import { PlayerBrowsers } from '../tools/consent-driver/player-browsers.js'
import type { Player } from '../state/seed/seed.js'
import type { EmulatorContext } from '../state/emulator-context.js'
import { parseSnapshot } from '../state/snapshot.js'

interface EmulatorParts {
  log: RequestLog
  faults: Faults
  limits: Limits
  listening: Listening
  idleWatch: IdleWatch
  activity: ActivityService
  programs: LocalPrograms
  interactions: InteractionService
  gateway: Gateway
  webhooks: EventDeliveries
}

const CLOSED = 'create one for each test file, and close it in afterAll'

export function createEmulatorApi(context: EmulatorContext, machine: EmulatorParts): Emulator {
  const { log, activity, interactions, gateway, webhooks } = machine
  const { url, seed, credentials, events } = context
  const { clientSecret, botToken, publicKey, controlToken } = credentials
  const { id, name, redirectUris, children } = seed.application
  const browsers = new PlayerBrowsers()
  let closing: Promise<void> | undefined
  const requireOpen = () => {
    if (closing) throw new EmulatorError('closed', `The emulator at ${url} was closed: ${CLOSED}`)
  }
  const close = async () => {
    await machine.programs.close()
    await activity.close()
    await shutDown(machine)
    context.state.close()
  }
  const checked = <Group extends object>(group: Group, prefix: string) =>
    checkedCalls(group, { prefix, requireOpen })
  const emulator: Emulator = {
    url,
    networkUrls: machine.listening.network.map((address) => `http://${address}:${context.port}`),
    application: { id, name, redirectUris, children, clientSecret, botToken, publicKey },
    users: seed.players.map((player) => userOf(player, url)),
    controlToken,
    get requests() {
      return log.list()
    },
    authorize: async (target, choice) => {
      const service = { origin: url, players: seed.players, browsers }
      return { redirect: await approveAuthorization(target, choice, service) }
    },
    tokens: (request) => endTokens(request, context),
    device: async (choice) => approveDevice(choice, { origin: url, players: seed.players }),
    ...createBehaviorMethods(machine),
    reset: () => reset(context, machine),
    ...createSnapshotMethods(context, machine),
    ...createClockMethods(context, machine),
    subscribe: (listener) => events.subscribe(listener),
    activity: checked(activity, 'activity.'),
    localProgram: (input) => machine.programs.start(input),
    interactions: checked(interactions, 'interactions.'),
    gateway: checked(gateway, 'gateway.'),
    webhooks: checked(webhooks, 'webhooks.'),
    close: () => (closing ??= close()),
  }
  return checked(emulator, '')
}

function createSnapshotMethods(
  { state }: EmulatorContext,
  { idleWatch, gateway }: EmulatorParts,
): Pick<Emulator, 'snapshot' | 'restore'> {
  return {
    snapshot: () => state.snapshot(),
    restore: (snapshot) => {
      state.restore(parseSnapshot(snapshot))
      idleWatch.look()
      gateway.look()
    },
  }
}

function createClockMethods(
  { clock }: EmulatorContext,
  parts: EmulatorParts,
): Pick<Emulator, 'advance' | 'clock'> {
  const change = (input: ClockChange) => {
    // Windows that began in what is now the future would last too long.
    if (clock.change(input)) parts.limits.clear()
    parts.idleWatch.look()
    parts.webhooks.look()
    parts.gateway.look()
    parts.activity.host.stores.purchases.look()
  }
  return {
    advance: (ms) => change({ advance: ms }),
    clock: (input) => {
      if (input !== undefined) change(input)
      return clock.state()
    },
  }
}

/** Setters that return the resulting settings. */
function createBehaviorMethods({ faults, limits }: EmulatorParts): Pick<Emulator, 'faults' | 'limits'> {
  return {
    faults: (rules) => {
      if (rules !== undefined) faults.set(rules)
      return faults.list()
    },
    limits: (input) => {
      if (input !== undefined) limits.set(typeof input === 'string' ? input : dropUndefined(input))
      return limits.view()
    },
  }
}

function reset(
  context: EmulatorContext,
  { log, faults, limits, idleWatch, activity, interactions, gateway, webhooks }: EmulatorParts,
): void {
  removeJoinedMembers(context)
  context.state.clear()
  log.clear()
  faults.clear()
  limits.clear()
  idleWatch.look()
  activity.host.clear()
  interactions.clear()
  webhooks.clear()
  new Registry(context).enableActivities()
  // Bots stay connected, and learn which guilds have the application no more.
  gateway.look()
}

function userOf(player: Player, url: string): EmulatorUser {
  const { id, username, globalName } = player
  return { id, username, globalName, avatar: avatarUrl(player, url) }
}

function endTokens({ user, action, kind = 'access' }: TokenRequest, context: EmulatorContext): void {
  const { id } = findPlayer(context.seed.players, user)
  if (action === 'revoke') revokePlayer(id, context.seed.application.id, context)
  else context.state.records.expirePlayer(id, kind === 'access' ? 'AccessToken' : 'RefreshToken')
}

async function shutDown({
  listening,
  idleWatch,
  webhooks,
  gateway,
}: Pick<EmulatorParts, 'listening' | 'idleWatch' | 'webhooks' | 'gateway'>): Promise<void> {
  idleWatch.stop()
  webhooks.stop()
  gateway.stop()
  await listening.close()
}
