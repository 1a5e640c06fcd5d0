/** The control plane as a table: each row has the path and the body of a request, and the call that answers it. */
import type { HonoRequest } from 'hono'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { fieldsOf, textOf } from '../../foundation/values.js'
import { payloadOf } from '../../model/stored-command.js'
import { isRelationshipKind } from '../../service/activity/relationship-store.js'
import { readPlayerChange } from '../../service/activity/change-player.js'
import { explainAccess, useCommand, visibleCommands } from '../../service/commands/visible-commands.js'
import { readCommandBehavior } from '../../state/command-behavior.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { readLobbyBehavior } from '../../state/lobby-behavior.js'
import { parseSnapshot, type SavedSnapshots } from '../../state/snapshot.js'
import type { RequestLog } from '../request/request-log.js'
import { bodyOf, FLAG, oneOf, optional, TEXT } from './body-shape.js'
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
  /** Returns the response, undefined for one without a body. `body` is undefined if it is not JSON. */
  readonly answer: (body: unknown, request: HonoRequest) => unknown
}

export interface ControlParts {
  context: EmulatorContext
  log: RequestLog
  controls: Controls
  saved: SavedSnapshots
}

type Fields = Record<string, unknown>

export function controlTable(parts: ControlParts): ControlRow[] {
  return [
    ...machineRows(parts),
    ...signInRows(parts),
    ...activityRows(parts),
    ...playerRows(parts),
    ...webhookRows(parts),
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
  read: (body: unknown) => Body,
  call: (body: Body, request: HonoRequest) => unknown,
): ControlRow {
  return { method: 'POST', path, answer: (body, request) => call(read(body), request) }
}

const patch = (path: string, call: (body: Fields) => unknown): ControlRow => ({
  method: 'PATCH',
  path,
  answer: (body) => call(fieldsOf(body)),
})

function machineRows({ context, log, controls }: ControlParts): ControlRow[] {
  return [
    get('requests', () => log.list()),
    get('installations', () => context.state.installations.list()),
    get('overview', () => overview(context, controls)),
    get('clock', () => context.clock.state()),
    post('clock', rulesOf, (change) => {
      if (Object.keys(change).length === 0)
        throw badRequest(
          'The body must be JSON: { "advance"?: milliseconds, "skew"?: milliseconds, "frozen"?: boolean }.',
        )
      return controls.clock(change)
    }),
    get('faults', () => controls.faults()),
    post('faults', rulesOf, ({ rules, ...rule }) => controls.faults(rules ?? rule)),
    get('limits', () => controls.limits()),
    post('limits', rulesOf, (input) => controls.limits(input)),
    post('reset', fieldsOf, () => controls.reset()),
  ]
}

function signInRows({ controls }: ControlParts): ControlRow[] {
  const kind = optional(oneOf('access', 'refresh'))
  return [
    post('authorize', bodyOf({ url: TEXT, as: TEXT, deny: optional(FLAG) }), ({ url, as, deny }) =>
      controls.authorize(url, { as, deny }),
    ),
    post('device', bodyOf({ userCode: TEXT, as: TEXT, deny: optional(FLAG) }), (choice) =>
      controls.device(choice),
    ),
    post('tokens', bodyOf({ user: TEXT, action: oneOf('expire', 'revoke'), kind }), (request) =>
      controls.tokens(request),
    ),
  ]
}

function activityRows({ controls: { activity } }: ControlParts): ControlRow[] {
  return [
    get('activity', () => ({ url: activity.url ?? null, instances: activity.instances() })),
    post('activity/launch', fieldsOf, ({ as, channel, customId, referrerId, platform }) =>
      activity.launch({
        as: [as].flat().filter((name) => typeof name === 'string'),
        channel: textOf(channel),
        customId: textOf(customId),
        referrerId: textOf(referrerId),
        platform: platform === 'mobile' ? 'mobile' : 'desktop',
      }),
    ),
    post('activity/join', fieldsOf, ({ as, secret }) =>
      activity.join({ as: text(as), secret: text(secret) }),
    ),
    post('activity/disconnect', fieldsOf, ({ as, code, message }) =>
      activity.disconnect({ as: text(as), code: Number(code ?? 1000), message: text(message) }),
    ),
    post('activity/player', readPlayerChange, (change) => activity.setPlayer(change)),
    post('activity/relate', fieldsOf, ({ as, with: other, kind }) => {
      if (!isRelationshipKind(kind)) throw badRequest('kind is none, friend, blocked, incoming or outgoing.')
      return activity.relate({ as: text(as), with: text(other), kind })
    }),
    post('activity/accept', fieldsOf, ({ as, invitation }) =>
      activity.accept({ as: text(as), invitation: text(invitation) }),
    ),
    post('activity/enroll', fieldsOf, ({ as, quest }) =>
      activity.enroll({ as: text(as), quest: textOf(quest) }),
    ),
  ]
}

function playerRows({ controls: { interactions } }: ControlParts): ControlRow[] {
  return [
    get('interactions', () => interactions.list()),
    get('messages', (request) =>
      interactions.messages({ as: request.query('as') ?? '', channel: request.query('channel') }),
    ),
    ...Object.entries(playerActions).map(([name, act]) =>
      post(`interactions/${name}`, fieldsOf, (body) => act(body, interactions)),
    ),
  ]
}

function webhookRows({ controls: { webhooks } }: ControlParts): ControlRow[] {
  return [
    get('webhooks', () => ({ url: webhooks.url ?? null, deliveries: webhooks.list() })),
    post('webhooks/connect', fieldsOf, async ({ url }) => {
      await webhooks.connect(text(url))
      return { url: webhooks.url }
    }),
    post('webhooks/send', fieldsOf, ({ type, data, forged }) =>
      webhooks.send({ type: text(type), data, forged: forged === true }),
    ),
    post('webhooks/resend', fieldsOf, ({ id }) => webhooks.resend(text(id))),
  ]
}

function snapshotRows({ controls, saved }: ControlParts): ControlRow[] {
  return [
    get('snapshots', () => saved.list()),
    post('snapshots', named, ({ name }) => {
      saved.save(name, controls.snapshot())
      return saved.list()
    }),
    post('snapshots/restore', named, ({ name }) => controls.restore(saved.find(name))),
    post('snapshots/export', named, ({ name }) => saved.find(name)),
    post('snapshots/import', named, ({ name, snapshot }) => {
      saved.save(name, parseSnapshot(snapshot))
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
    post('guilds/:guild/commands/:command/use', fieldsOf, ({ as, channel, version }, request) => {
      const given = textOf(version)
      const who = { ...by(textOf(as), textOf(channel)), ...(given === undefined ? {} : { version: given }) }
      return payloadOf(useCommand(pathOf(request, 'guild'), pathOf(request, 'command'), { by: who, context }))
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
const text = (value: unknown): string => textOf(value) ?? ''
const pathOf = (request: HonoRequest, name: string): string => request.param(name) ?? ''

/** A list is one of rules. */
const rulesOf = (body: unknown): Fields => (Array.isArray(body) ? { rules: body } : fieldsOf(body))

/** The name of a snapshot. */
function named(body: unknown): { name: string; snapshot: unknown } {
  if (body === undefined) throw badRequest('The body must be JSON.')
  const { name, snapshot } = fieldsOf(body)
  return { name: text(name), snapshot }
}

function settingsIn<Settings extends object>(settings: Settings | string): Settings {
  if (typeof settings === 'string') throw badRequest(settings)
  return settings
}
