/** The control plane as a table: each row has the path and the body of a request, and the call that answers it. */
import type { HonoRequest } from 'hono'
import { WrongInput } from '../../foundation/emulator-error.js'
import type { Fields } from '../../check/schema.js'
import { isObject } from '../../foundation/values.js'
import { payloadOf } from '../../model/stored-command.js'
import type { LocalPrograms } from '../../service/local-program/local-programs.js'
import { explainAccess, useCommand, visibleCommands } from '../../service/commands/visible-commands.js'
import { readCommandBehavior } from '../../state/command-behavior.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { readLobbyBehavior } from '../../state/lobby-behavior.js'
import { parseSnapshot, type SavedSnapshots } from '../../state/snapshot.js'
import type { RequestLog } from '../request/request-log.js'
import { readControlBody } from './control-body.js'
import { inputs, type Input } from './control-calls.js'
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
  /** Schema of its body. */
  readonly takes: Input<unknown>
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
  takes: inputs.nothing,
  answer: (_body, request) => call(request),
})

function post<Body>(
  path: string,
  takes: Input<Body>,
  call: (body: Body, request: HonoRequest) => unknown,
): ControlRow {
  return {
    method: 'POST',
    path,
    takes,
    answer: (given, request) => call(readControlBody(takes, given), request),
  }
}

function patch(path: string, takes: Input<Fields>, call: (body: Fields) => unknown): ControlRow {
  return { method: 'PATCH', path, takes, answer: (given) => call(readControlBody(takes, given)) }
}

function machineRows({ context, log, controls }: ControlParts): ControlRow[] {
  return [
    get('requests', () => log.list()),
    get('installations', () => context.state.installations.list()),
    get('overview', () => overview(context, controls)),
    get('clock', () => context.clock.state()),
    post('clock', inputs.clock, (change) => {
      if (Object.keys(change).length === 0)
        throw new WrongInput('the body must be JSON: it has none of advance, skew and frozen')
      return controls.clock(change)
    }),
    get('faults', () => controls.faults()),
    post('faults', inputs.faultsBody, (body) =>
      controls.faults(isObject(body) && 'rules' in body ? body['rules'] : body),
    ),
    get('limits', () => controls.limits()),
    post('limits', inputs.limits, (input) => controls.limits(input)),
    post('reset', inputs.nothing, () => controls.reset()),
  ]
}

function signInRows({ controls }: ControlParts): ControlRow[] {
  return [
    post('authorize', inputs.authorize, ({ url, as, deny }) => controls.authorize(url, { as, deny })),
    post('device', inputs.device, (choice) => controls.device(choice)),
    post('tokens', inputs.tokens, (request) => controls.tokens(request)),
  ]
}

function activityRows({ controls: { activity } }: ControlParts): ControlRow[] {
  return [
    get('activity', () => ({ url: activity.url ?? null, instances: activity.instances() })),
    post('activity/launch', inputs.launch, ({ as, platform = 'desktop', ...others }) =>
      activity.launch({ ...others, as: [as].flat(), platform }),
    ),
    post('activity/join', inputs.join, (body) => activity.join(body)),
    post('activity/disconnect', inputs.disconnect, ({ as, code = 1000, message = '' }) =>
      activity.disconnect({ as, code, message }),
    ),
    post('activity/player', inputs.setPlayer, (body) => activity.setPlayer(body)),
    post('activity/relate', inputs.relate, (body) => activity.relate(body)),
    post('activity/accept', inputs.accept, (body) => activity.accept(body)),
    post('activity/purchase', inputs.purchase, (body) => activity.purchase(body)),
    post('activity/refund', inputs.entitlement, (body) => activity.refund(body)),
    post('activity/cancel-subscription', inputs.entitlement, (body) => activity.cancelSubscription(body)),
    post('activity/enroll', inputs.enroll, (body) => activity.enroll(body)),
  ]
}

/** Programs of the service on players' computers. */
function programRows({ controls, programs }: ControlParts): ControlRow[] {
  return [
    get('programs', () => programs.running()),
    post('programs', inputs.program, async (body) => {
      const { folder, environment } = await controls.localProgram(body)
      return { folder, environment }
    }),
    post('programs/ask', inputs.fromPlayer, ({ as, from }) => programs.of(as).ask(from)),
    post('programs/invite', inputs.fromPlayer, ({ as, from }) => programs.of(as).invite(from)),
    post('programs/accept', inputs.fromPlayer, ({ as, from }) => programs.of(as).accept(from)),
    post('programs/quit', inputs.onlyPlayer, ({ as }) => programs.of(as).quit()),
  ]
}

function playerRows({ controls: { interactions } }: ControlParts): ControlRow[] {
  return [
    get('interactions', () => interactions.list()),
    get('messages', (request) =>
      interactions.messages({ as: request.query('as') ?? '', channel: request.query('channel') }),
    ),
    ...Object.entries(playerActions).map(([action, { takes, run }]): ControlRow => ({
      method: 'POST',
      path: `interactions/${action}`,
      takes,
      answer: (body) => run(body, interactions),
    })),
  ]
}

function webhookRows({ controls: { webhooks } }: ControlParts): ControlRow[] {
  return [
    get('webhooks', () => ({ url: webhooks.url ?? null, deliveries: webhooks.list() })),
    post('webhooks/connect', inputs.address, async ({ url }) => {
      await webhooks.connect(url)
      return { url: webhooks.url }
    }),
    post('webhooks/send', inputs.event, ({ type, data, forged = false }) =>
      webhooks.send({ type, data, forged }),
    ),
    post('webhooks/resend', inputs.resend, ({ id }) => webhooks.resend(id)),
  ]
}

function gatewayRows({ controls: { gateway } }: ControlParts): ControlRow[] {
  return [
    get('gateway', () => ({ url: gateway.url, sessions: gateway.sessions() })),
    get('gateway/:session/events', (request) => gateway.events(pathOf(request, 'session'))),
    post('gateway/disturb', inputs.disturb, ({ how }) => gateway.disturb(how)),
  ]
}

function snapshotRows({ controls, saved }: ControlParts): ControlRow[] {
  return [
    get('snapshots', () => saved.list()),
    post('snapshots', inputs.named, (body) => {
      saved.save(body.name, controls.snapshot())
      return saved.list()
    }),
    post('snapshots/restore', inputs.named, (body) => controls.restore(saved.find(body.name))),
    post('snapshots/export', inputs.named, (body) => saved.find(body.name)),
    post('snapshots/import', inputs.imported, (body) => {
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
    post('guilds/:guild/commands/:command/use', inputs.guildUse, ({ as, channel, version }, request) => {
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
    patch('commands', inputs.commandBehavior, (body) =>
      Object.assign(context.commandBehavior, settingsIn(readCommandBehavior(body))),
    ),
    get('lobbies', () => context.lobbyBehavior),
    patch('lobbies', inputs.lobbyBehavior, (body) =>
      Object.assign(context.lobbyBehavior, settingsIn(readLobbyBehavior(body))),
    ),
  ]
}

const pathOf = (request: HonoRequest, name: string): string => request.param(name) ?? ''

function settingsIn<Settings extends object>(settings: Settings | string): Settings {
  if (typeof settings === 'string') throw new WrongInput(settings)
  return settings
}
