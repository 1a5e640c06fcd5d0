/** The control plane as a table: each row has the path and the body of a request, and the call that answers it. */
import type { HonoRequest } from 'hono'
import { EmulatorError } from '../../foundation/emulator-error.js'
import {
  anything,
  flag,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  text,
  type Fields,
  type Schema,
} from '../../check/schema.js'
import { isObject } from '../../foundation/values.js'
import { payloadOf } from '../../model/stored-command.js'
import type { LocalPrograms } from '../../service/local-program/local-programs.js'
import { readPlayerChange } from '../../service/activity/change-player.js'
import { explainAccess, useCommand, visibleCommands } from '../../service/commands/visible-commands.js'
import { readCommandBehavior } from '../../state/command-behavior.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { readLobbyBehavior } from '../../state/lobby-behavior.js'
import { parseSnapshot, type SavedSnapshots } from '../../state/snapshot.js'
import type { RequestLog } from '../request/request-log.js'
import { readControlBody } from './control-body.js'
import type { Emulator } from './emulator.js'
import { overview } from './overview.js'
import { playerActions } from './player-actions.js'

/** The programming interface, whose checks also read what arrives as JSON. */
export interface Controls extends Omit<Emulator, 'faults' | 'limits'> {
  faults(rules?: unknown): unknown
  limits(input?: unknown): unknown
}

export interface ControlRow {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** Below `/_emulator/`. */
  readonly path: string
  /** Checks the body, which is undefined if it is not JSON, and returns the response: undefined for one without a body. */
  readonly answer: (body: unknown, request: HonoRequest) => unknown
}

export interface ControlParts {
  context: EmulatorContext
  log: RequestLog
  controls: Controls
  saved: SavedSnapshots
  programs: LocalPrograms
}

export function controlTable(parts: ControlParts): ControlRow[] {
  return [
    ...machineRows(parts),
    ...signInRows(parts),
    ...activityRows(parts),
    ...programRows(parts),
    ...playerRows(parts),
    ...webhookRows(parts),
    ...gatewayRows(parts),
    ...snapshotRows(parts),
    ...commandRows(parts),
    ...behaviorRows(parts),
  ]
}

const get = (path: string, call: (request: HonoRequest) => unknown): ControlRow => ({
  method: 'GET',
  path,
  answer: (_body, request) => call(request),
})

function post<Body>(
  path: string,
  body: Schema<Body>,
  call: (body: Body, request: HonoRequest) => unknown,
): ControlRow {
  return {
    method: 'POST',
    path,
    answer: (given, request) => call(readControlBody(body, given), request),
  }
}

function patch(path: string, call: (body: Fields) => unknown): ControlRow {
  return { method: 'PATCH', path, answer: (given) => call(readControlBody(record, given)) }
}

/** Name or id of a player. */
const player = text()
const clockBody = object({ advance: optional(number()), skew: optional(number()), frozen: optional(flag) })
/** One rule, a list of rules, or an object with a list. */
const rulesBody: Schema<unknown> = {
  check(value, at) {
    if (!Array.isArray(value)) record.check(value, at)
  },
}
const names: Schema<string | string[]> = {
  check: (value, at) => (Array.isArray(value) ? list(player) : player).check(value, at),
}
const launchBody = object({
  as: names,
  channel: optional(text()),
  customId: optional(text()),
  linkId: optional(text()),
  referrerId: optional(text()),
  platform: optional(oneOf(['desktop', 'mobile'])),
})
const purchaseBody = object({
  as: player,
  sku: text(),
  test: optional(flag),
  giver: optional(player),
})
const disconnectBody = object({ as: player, code: optional(integer()), message: optional(text()) })
const RELATIONSHIPS = ['none', 'friend', 'blocked', 'incoming', 'outgoing'] as const
const DISTURBANCES = ['reconnect', 'invalidate', 'drop'] as const
const eventBody = object({ type: text(), data: anything, forged: optional(flag) })
const named = object({ name: text() })
const importBody = object({ name: text(), snapshot: anything })
const useBody = object({ as: optional(player), channel: optional(text()), version: optional(text()) })

function machineRows({ context, log, controls }: ControlParts): ControlRow[] {
  return [
    get('requests', () => log.list()),
    get('installations', () => context.state.installations.list()),
    get('overview', () => overview(context, controls)),
    get('clock', () => context.clock.state()),
    post('clock', clockBody, (change) => {
      if (Object.keys(change).length === 0)
        throw badRequest(
          'The body must be JSON: { "advance"?: milliseconds, "skew"?: milliseconds, "frozen"?: boolean }.',
        )
      return controls.clock(change)
    }),
    get('faults', () => controls.faults()),
    post('faults', rulesBody, (body) =>
      controls.faults(isObject(body) && 'rules' in body ? body['rules'] : body),
    ),
    get('limits', () => controls.limits()),
    post('limits', record, (input) => controls.limits(input)),
    post('reset', anything, () => controls.reset()),
  ]
}

function signInRows({ controls }: ControlParts): ControlRow[] {
  const kind = optional(oneOf(['access', 'refresh']))
  return [
    post('authorize', object({ url: text(), as: player, deny: optional(flag) }), ({ url, as, deny }) =>
      controls.authorize(url, { as, deny }),
    ),
    post('device', object({ userCode: text(), as: player, deny: optional(flag) }), (choice) =>
      controls.device(choice),
    ),
    post('tokens', object({ user: player, action: oneOf(['expire', 'revoke']), kind }), (request) =>
      controls.tokens(request),
    ),
  ]
}

function activityRows({ controls: { activity } }: ControlParts): ControlRow[] {
  return [
    get('activity', () => ({ url: activity.url ?? null, instances: activity.instances() })),
    post('activity/launch', launchBody, ({ as, platform = 'desktop', ...others }) =>
      activity.launch({ ...others, as: [as].flat(), platform }),
    ),
    post('activity/join', object({ as: player, secret: text() }), (body) => activity.join(body)),
    post('activity/disconnect', disconnectBody, ({ as, code = 1000, message = '' }) =>
      activity.disconnect({ as, code, message }),
    ),
    post('activity/player', record, (body) => activity.setPlayer(readPlayerChange(body))),
    post('activity/relate', object({ as: player, with: player, kind: oneOf(RELATIONSHIPS) }), (body) =>
      activity.relate(body),
    ),
    post('activity/accept', object({ as: player, invitation: text() }), (body) => activity.accept(body)),
    post('activity/purchase', purchaseBody, (body) => activity.purchase(body)),
    post('activity/refund', object({ entitlement: text() }), (body) => activity.refund(body)),
    post('activity/cancel-subscription', object({ entitlement: text() }), (body) =>
      activity.cancelSubscription(body),
    ),
    post('activity/enroll', object({ as: player, quest: optional(text()) }), (body) => activity.enroll(body)),
  ]
}

const programBody = object({
  as: player,
  folder: optional(text()),
  brand: optional(text()),
  authenticate: optional(oneOf(['optional', 'required'])),
})
const fromBody = object({ as: player, from: player })

/** Programs of the service on players' computers. */
function programRows({ controls, programs }: ControlParts): ControlRow[] {
  return [
    get('programs', () => programs.running()),
    post('programs', programBody, async (body) => {
      const { folder, environment } = await controls.localProgram(body)
      return { folder, environment }
    }),
    post('programs/ask', fromBody, ({ as, from }) => programs.of(as).ask(from)),
    post('programs/invite', fromBody, ({ as, from }) => programs.of(as).invite(from)),
    post('programs/accept', fromBody, ({ as, from }) => programs.of(as).accept(from)),
    post('programs/quit', object({ as: player }), ({ as }) => programs.of(as).quit()),
  ]
}

function playerRows({ controls: { interactions } }: ControlParts): ControlRow[] {
  return [
    get('interactions', () => interactions.list()),
    get('messages', (request) =>
      interactions.messages({ as: request.query('as') ?? '', channel: request.query('channel') }),
    ),
    ...Object.entries(playerActions).map(([action, act]) =>
      post(`interactions/${action}`, anything, (body) => act(body, interactions)),
    ),
  ]
}

function webhookRows({ controls: { webhooks } }: ControlParts): ControlRow[] {
  return [
    get('webhooks', () => ({ url: webhooks.url ?? null, deliveries: webhooks.list() })),
    post('webhooks/connect', object({ url: text() }), async ({ url }) => {
      await webhooks.connect(url)
      return { url: webhooks.url }
    }),
    post('webhooks/send', eventBody, ({ type, data, forged = false }) =>
      webhooks.send({ type, data, forged }),
    ),
    post('webhooks/resend', object({ id: text() }), ({ id }) => webhooks.resend(id)),
  ]
}

function gatewayRows({ controls: { gateway } }: ControlParts): ControlRow[] {
  return [
    get('gateway', () => ({ url: gateway.url, sessions: gateway.sessions() })),
    get('gateway/:session/events', (request) => gateway.events(pathOf(request, 'session'))),
    post('gateway/disturb', object({ how: oneOf(DISTURBANCES) }), ({ how }) => gateway.disturb(how)),
  ]
}

function snapshotRows({ controls, saved }: ControlParts): ControlRow[] {
  return [
    get('snapshots', () => saved.list()),
    post('snapshots', named, (body) => {
      saved.save(body.name, controls.snapshot())
      return saved.list()
    }),
    post('snapshots/restore', named, (body) => controls.restore(saved.find(body.name))),
    post('snapshots/export', named, (body) => saved.find(body.name)),
    post('snapshots/import', importBody, (body) => {
      saved.save(body.name, parseSnapshot(body.snapshot))
      return saved.list()
    }),
  ]
}

function commandRows({ context }: ControlParts): ControlRow[] {
  const by = (as: string | undefined, channelId: string | undefined) => {
    const found = context.seed.players.find(({ id, username }) => id === as || username === as)
    return { userId: found?.id ?? as, channelId }
  }
  return [
    get('guilds/:guild/commands', (request) =>
      visibleCommands(
        pathOf(request, 'guild'),
        by(request.query('as'), request.query('channel')),
        context,
      ).map(payloadOf),
    ),
    get('guilds/:guild/access', (request) =>
      explainAccess(pathOf(request, 'guild'), by(request.query('as'), request.query('channel')), context).map(
        ({ command: { id, definition, place }, because }) => ({
          id,
          name: definition.name,
          type: definition.type,
          local: place.guildId !== undefined,
          because,
        }),
      ),
    ),
    post('guilds/:guild/commands/:command/use', useBody, ({ as, channel, version }, request) => {
      const user = { ...by(as, channel), ...(version === undefined ? {} : { version }) }
      return payloadOf(
        useCommand(pathOf(request, 'guild'), pathOf(request, 'command'), { by: user, context }),
      )
    }),
  ]
}

function behaviorRows({ context }: ControlParts): ControlRow[] {
  return [
    get('commands', () => context.commandBehavior),
    patch('commands', (body) =>
      Object.assign(context.commandBehavior, settingsIn(readCommandBehavior(body))),
    ),
    get('lobbies', () => context.lobbyBehavior),
    patch('lobbies', (body) => Object.assign(context.lobbyBehavior, settingsIn(readLobbyBehavior(body)))),
  ]
}

const badRequest = (message: string): EmulatorError => new EmulatorError('bad_request', message)
const pathOf = (request: HonoRequest, name: string): string => request.param(name) ?? ''

function settingsIn<Settings extends object>(settings: Settings | string): Settings {
  if (typeof settings === 'string') throw badRequest(settings)
  return settings
}
