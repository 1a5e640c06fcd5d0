/** Inputs of the calls of a test and of the control plane, each with an example. */
import {
  anything,
  flag,
  integer,
  list,
  number,
  oneOf,
  optional,
  nullable,
  record,
  strictObject,
  text,
  type Schema,
} from '../../check/schema.js'
import { problem } from '../../check/problems.js'
import type { Emulator } from './emulator.js'
import { LAYOUT_MODES, ORIENTATIONS, THERMAL_STATES } from '../../service/activity/device-state.js'

/** A value that a call takes. */
export interface Input<Value> {
  readonly schema: Schema<Value>
  /** A right one, which errors show. */
  readonly example: unknown
  /** The example as a programmer writes it, if it is no plain value. */
  readonly written?: string
}

/** Name or id of a player. */
const player = text({ least: 1 })
const names: Schema<string | string[]> = {
  check: (value, at) => (Array.isArray(value) ? list(player, { least: 1 }) : player).check(value, at),
}
const NOT_FUNCTION = problem('FUNCTION_REQUIRED', 'This must be a function.', 'must be a function')
const callback: Schema<unknown> = {
  check(value, at) {
    if (typeof value !== 'function') at.add(NOT_FUNCTION)
  },
}

const choice = { as: player, deny: optional(flag) }
const place = { as: player, channel: optional(text()) }
const command = {
  ...place,
  command: text({ least: 1 }),
  version: optional(text()),
  target: optional(text()),
  options: optional(list(anything)),
}
const program = {
  as: player,
  folder: optional(text()),
  brand: optional(text()),
  authenticate: optional(oneOf(['optional', 'required'])),
}
const nameOf = <Named extends object>(named: Named) => oneOf(keysOf(named))
const keysOf = <Named extends object>(named: Named) =>
  Object.keys(named).filter((name): name is Extract<keyof Named, string> => Object.hasOwn(named, name))
const voice = strictObject({
  mute: optional(flag),
  deaf: optional(flag),
  selfMute: optional(flag),
  selfDeaf: optional(flag),
  speaking: optional(flag),
})
const sku = strictObject({
  id: text({ least: 1 }),
  name: text({ least: 1 }),
  type: optional(integer()),
  price: strictObject({ amount: number(), currency: text({ least: 1 }) }),
})

const ADDRESS = 'http://localhost:8080/interactions'
const AUTHORIZE_URL = 'http://127.0.0.1:4320/oauth2/authorize?client_id=…'

/** Read by the functions that also check them: these say only that it is an object. */
const rules: Schema<unknown> = {
  check(value, at) {
    if (!Array.isArray(value)) record.check(value, at)
  },
}
const limits: Schema<unknown> = {
  check(value, at) {
    if (typeof value !== 'string') record.check(value, at)
  },
}

const FAULT = { match: { path: '/api/v10/lobbies' }, times: 1, effect: { status: 503 } }

/** The objects that calls take, and bodies of the control plane. */
export const inputs = {
  approval: { schema: strictObject(choice), example: { as: 'ada' } },
  authorize: {
    schema: strictObject({ url: text({ least: 1 }), ...choice }),
    example: { url: AUTHORIZE_URL, as: 'ada' },
  },
  clock: {
    schema: strictObject({ advance: optional(number()), skew: optional(number()), frozen: optional(flag) }),
    example: { advance: 60_000 },
  },
  faults: { schema: rules, example: [FAULT] },
  faultsBody: { schema: rules, example: { rules: [FAULT] } },
  limits: { schema: limits, example: { join_lobby: { limit: 3, per: 60_000 } } },
  tokens: {
    schema: strictObject({
      user: player,
      action: oneOf(['expire', 'revoke']),
      kind: optional(oneOf(['access', 'refresh'])),
    }),
    example: { user: 'ada', action: 'expire' },
  },
  device: {
    schema: strictObject({ userCode: text({ least: 1 }), ...choice }),
    example: { userCode: 'WDJB-MJHT', as: 'ada' },
  },
  program: { schema: strictObject(program), example: { as: 'ada' } },
  localProgram: { schema: strictObject({ ...program, launch: optional(callback) }), example: { as: 'ada' } },
  fromPlayer: { schema: strictObject({ as: player, from: player }), example: { as: 'ada', from: 'bruno' } },
  onlyPlayer: { schema: strictObject({ as: player }), example: { as: 'ada' } },
  launch: {
    schema: strictObject({
      as: names,
      channel: optional(text()),
      customId: optional(text()),
      linkId: optional(text()),
      referrerId: optional(text()),
      platform: optional(oneOf(['desktop', 'mobile'])),
    }),
    example: { as: ['ada', 'bruno'] },
  },
  join: { schema: strictObject({ as: player, secret: text() }), example: { as: 'ada', secret: 'moon' } },
  setPlayer: {
    schema: strictObject({
      as: player,
      layoutMode: optional(nameOf(LAYOUT_MODES)),
      orientation: optional(nameOf(ORIENTATIONS)),
      thermalState: optional(nameOf(THERMAL_STATES)),
      hardwareAcceleration: optional(flag),
      voice: optional(voice),
      globalName: optional(nullable(text())),
      locale: optional(text()),
      nickname: optional(strictObject({ guildId: text(), name: text() })),
    }),
    example: { as: 'ada', orientation: 'portrait' },
  },
  relate: {
    schema: strictObject({
      as: player,
      with: player,
      kind: oneOf(['none', 'friend', 'blocked', 'incoming', 'outgoing']),
    }),
    example: { as: 'ada', with: 'bruno', kind: 'blocked' },
  },
  accept: {
    schema: strictObject({ as: player, invitation: text() }),
    example: { as: 'bruno', invitation: 'the id in activity.invitations' },
  },
  purchase: {
    schema: strictObject({ as: player, sku: text(), test: optional(flag), giver: optional(player) }),
    example: { as: 'ada', sku: '1288100000000000001' },
  },
  entitlement: {
    schema: strictObject({ entitlement: text() }),
    example: { entitlement: 'the id in activity.entitlements' },
  },
  enroll: { schema: strictObject({ as: player, quest: optional(text()) }), example: { as: 'ada' } },
  disconnect: {
    schema: strictObject({ as: player, code: optional(integer()), message: optional(text()) }),
    example: { as: 'ada', code: 1000, message: 'Closed' },
  },
  use: {
    schema: strictObject(command),
    example: { as: 'ada', command: 'score', options: [{ name: 'round', value: 2 }] },
  },
  type: {
    schema: strictObject({ ...command, focused: text(), unchecked: optional(flag) }),
    example: { as: 'ada', command: 'score', focused: 'of', options: [{ name: 'of', value: 'br' }] },
  },
  press: {
    schema: strictObject({ ...place, message: text(), component: text(), values: optional(list(anything)) }),
    example: { as: 'ada', message: 'the id in outcome.message', component: 'the custom_id of the button' },
  },
  submit: {
    schema: strictObject({ ...place, modal: text(), values: optional(record) }),
    example: { as: 'ada', modal: 'the id in outcome.modal', values: { title: 'a text' } },
  },
  say: {
    schema: strictObject({ ...place, content: text() }),
    example: { as: 'ada', content: 'Good evening' },
  },
  messages: { schema: strictObject(place), example: { as: 'ada' } },
  address: { schema: strictObject({ url: text({ least: 1 }) }), example: { url: ADDRESS } },
  event: {
    schema: strictObject({ type: text({ least: 1 }), data: anything, forged: optional(flag) }),
    example: { type: 'ENTITLEMENT_CREATE', data: { user_id: '1' } },
  },
  resend: {
    schema: strictObject({ id: text({ least: 1 }) }),
    example: { id: 'the id in GET /_emulator/webhooks' },
  },
  disturb: {
    schema: strictObject({ how: oneOf(['reconnect', 'invalidate', 'drop']) }),
    example: { how: 'reconnect' },
  },
  named: { schema: strictObject({ name: text() }), example: { name: 'two players in a lobby' } },
  imported: {
    schema: strictObject({ name: text(), snapshot: anything }),
    example: { name: 'monday', snapshot: { format: 1, takenAt: 0, ahead: 0, tables: {} } },
  },
  guildUse: {
    schema: strictObject({ as: optional(player), channel: optional(text()), version: optional(text()) }),
    example: { as: 'ada' },
  },
  commandBehavior: { schema: record, example: { globalDelay: 0 } },
  lobbyBehavior: { schema: record, example: { lobbiesPerPlayer: 5 } },
  nothing: { schema: anything, example: {} },
} as const

const argument = (schema: Schema<unknown>, example: unknown): Input<unknown> => ({ schema, example })
const as = argument(player, 'ada')
const address = argument(text({ least: 1 }), ADDRESS)
const orNothing = ({ schema, example }: Input<unknown>): Input<unknown> => ({
  schema: optional(schema),
  example,
})

/** A call of the programming interface. */
export interface Call {
  readonly takes: readonly Input<unknown>[]
  /** True for a call that returns a promise, which rejects. */
  readonly isLater?: boolean
}

const now = (...takes: readonly Input<unknown>[]): Call => ({ takes })
const later = (...takes: readonly Input<unknown>[]): Call => ({ takes, isLater: true })

type MethodOf<Group> = Extract<
  { [Name in keyof Group]: Group[Name] extends (...args: never[]) => unknown ? Name : never }[keyof Group],
  string
>

/** Every method below `emulator`, apart from `close`. */
type CallName =
  | Exclude<MethodOf<Emulator>, 'close'>
  | `activity.${MethodOf<Emulator['activity']>}`
  | `interactions.${MethodOf<Emulator['interactions']>}`
  | `gateway.${MethodOf<Emulator['gateway']>}`
  | `webhooks.${MethodOf<Emulator['webhooks']>}`

export const callInputs: Readonly<Record<CallName, Call>> = {
  authorize: later({ schema: text({ least: 1 }), example: AUTHORIZE_URL }, inputs.approval),
  advance: now({ schema: number(), example: 60_000 }),
  clock: now(orNothing(inputs.clock)),
  faults: now(orNothing(inputs.faults)),
  limits: now(orNothing(inputs.limits)),
  tokens: now(inputs.tokens),
  device: later(inputs.device),
  reset: now(),
  snapshot: now(),
  restore: now({ schema: record, example: {}, written: 'emulator.snapshot()' }),
  subscribe: now({ schema: callback, example: {}, written: '(event) => console.log(event.name)' }),
  localProgram: later(inputs.localProgram),
  'activity.serve': later({ schema: text({ least: 1 }), example: 'http://localhost:5173/' }),
  'activity.launch': now(inputs.launch),
  'activity.instances': now(),
  'activity.join': now(inputs.join),
  'activity.setPlayer': now(inputs.setPlayer),
  'activity.relate': now(inputs.relate),
  'activity.presence': now(as),
  'activity.invitations': now(as),
  'activity.accept': now(inputs.accept),
  'activity.skus': now({
    schema: optional(list(sku)),
    example: [{ id: '1', name: 'Lantern', price: { amount: 499, currency: 'eur' } }],
  }),
  'activity.entitlements': now(as),
  'activity.purchase': now(inputs.purchase),
  'activity.refund': now(inputs.entitlement),
  'activity.cancelSubscription': now(inputs.entitlement),
  'activity.enroll': now(inputs.enroll),
  'activity.disconnect': now(inputs.disconnect),
  'interactions.connect': later(address),
  'interactions.use': later(inputs.use),
  'interactions.type': later(inputs.type),
  'interactions.press': later(inputs.press),
  'interactions.submit': later(inputs.submit),
  'interactions.channels': now(as),
  'interactions.say': now(inputs.say),
  'interactions.messages': now(inputs.messages),
  'interactions.list': now(),
  'gateway.sessions': now(),
  'gateway.events': now({ schema: text({ least: 1 }), example: 'the id in gateway.sessions' }),
  'gateway.disturb': now({ schema: oneOf(['reconnect', 'invalidate', 'drop']), example: 'reconnect' }),
  'webhooks.connect': later({ schema: text({ least: 1 }), example: 'http://localhost:8080/events' }),
  'webhooks.send': later(inputs.event),
  'webhooks.resend': later({ schema: text({ least: 1 }), example: 'the id in webhooks.list' }),
  'webhooks.list': now(),
}
