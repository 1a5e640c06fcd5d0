/** Settings of rate limits: the documented ones, those of an application in development, and changes by tests. */
import { didYouMean } from '../../foundation/closest-name.js'
import type { Optional } from '../../foundation/values.js'
import { fieldsOf, isObject, textOf } from '../../foundation/values.js'
import type { Size, WindowKind } from './create-window.js'

/** Scope of each limit: all requests of the application, or those of one player. */
export const LIMIT_SUBJECTS = {
  global: 'application',
  create_lobby: 'application',
  get_lobby: 'application',
  edit_lobby: 'application',
  delete_lobby: 'application',
  add_lobby_member: 'application',
  remove_lobby_member: 'application',
  update_lobby_members: 'application',
  create_invite: 'application',
  create_own_invite: 'application',
  link_lobby: 'application',
  join_lobby: 'player',
  all_joins: 'application',
  send_message: 'player',
  all_messages: 'application',
} as const

export type LimitName = keyof typeof LIMIT_SUBJECTS

/** Rate-limit headers: readable by all pages, hidden from pages of other origins, or not sent. */
export type HeaderMode = 'visible' | 'hidden' | 'absent'

export interface LimitSetting extends Size {
  window: WindowKind
  headers: HeaderMode
}

/** Number of responses of 401, 403 and 429 after which an address is blocked. */
export interface EdgeSetting extends Size {
  headers: HeaderMode
}

export interface Settings {
  limits: Record<LimitName, LimitSetting | null>
  edge: EdgeSetting | null
}

export type LimitsProfile = 'off' | 'production' | 'development'

/** Null removes a limit; `*` changes all existing ones. Limits that are not named keep their settings, or get those of `profile`. */
export interface LimitsChange extends Optional<Record<LimitName | '*', Optional<LimitSetting> | null>> {
  profile?: LimitsProfile | undefined
  edge?: Optional<EdgeSetting> | null | undefined
}

export type LimitsInput = LimitsProfile | LimitsChange

const SECOND = 1000
const HOUR = 3_600_000
const WINDOWS: readonly WindowKind[] = ['fixed', 'first', 'sliding', 'token']
const SETTING: readonly (keyof LimitSetting)[] = ['limit', 'per', 'window', 'headers']
const MODES: readonly HeaderMode[] = ['visible', 'hidden', 'absent']
const USUAL_EDGE: EdgeSetting = { limit: 10_000, per: 600 * SECOND, headers: 'visible' }

export function isLimitName(name: string): name is LimitName {
  return Object.hasOwn(LIMIT_SUBJECTS, name)
}

export function settingsOf(profile: LimitsProfile): Settings {
  return { limits: { ...NOTHING, ...profiles[profile] }, edge: null }
}

/** Returns the settings after a change, or an error message. */
export function readLimits(before: Settings, input: unknown): Settings | string {
  if (typeof input === 'string') return readLimits(before, { profile: input })
  const { profile, edge, '*': all, ...named } = fieldsOf(input)
  if (!isObject(input)) return `limits are an object, or one of ${Object.keys(profiles).join(', ')}`
  if (profile !== undefined && !isProfile(profile))
    return `profile must be one of ${Object.keys(profiles).join(', ')}${didYouMean(textOf(profile) ?? '', Object.keys(profiles))}`
  const start = profile === undefined ? before : settingsOf(profile)
  const strange = Object.keys(named).find((name) => !isLimitName(name))
  if (strange !== undefined) {
    const names = [...Object.keys(LIMIT_SUBJECTS), 'edge', 'profile']
    return `there is no limit ${strange}${didYouMean(strange, names)}: there are ${Object.keys(LIMIT_SUBJECTS).join(', ')}, edge and *`
  }
  const settings: Settings = { limits: { ...start.limits }, edge: start.edge }
  const faults = [...applyAll(settings, all), ...applyNamed(settings, named), ...applyEdge(settings, edge)]
  return faults[0] ?? settings
}

function applyAll(settings: Settings, change: unknown): string[] {
  if (change === undefined) return []
  return Object.entries(settings.limits).flatMap(([name, setting]) =>
    setting === null || !isLimitName(name) ? [] : applyOne(settings, name, change),
  )
}

function applyNamed(settings: Settings, named: Record<string, unknown>): string[] {
  return Object.entries(named).flatMap(([name, change]) =>
    isLimitName(name) ? applyOne(settings, name, change) : [],
  )
}

function applyOne(settings: Settings, name: LimitName, change: unknown): string[] {
  const setting = readSetting(settings.limits[name] ?? { window: 'first', headers: 'visible' }, change)
  if (typeof setting === 'string') return [`${name}${setting}`]
  settings.limits[name] = setting
  return []
}

function applyEdge(settings: Settings, change: unknown): string[] {
  if (change === undefined) return []
  const edge = readSetting({ ...(settings.edge ?? USUAL_EDGE), window: 'sliding' }, change)
  if (typeof edge === 'string') return [`edge${edge}`]
  settings.edge = edge
  return []
}

function readSetting(before: Partial<LimitSetting>, change: unknown): LimitSetting | null | string {
  if (change === null) return null
  if (!isObject(change)) return ' must be an object, or null for no limit'
  const { limit, per, window, headers, ...others } = { ...before, ...change }
  const [unknown] = Object.keys(others)
  if (unknown !== undefined)
    return ` has no ${unknown}${didYouMean(unknown, SETTING)}: it has ${SETTING.join(', ')}`
  if (!isCount(limit)) return '.limit must be a whole number of 1 or more'
  if (!isCount(per)) return '.per must be a whole number of milliseconds of 1 or more'
  const kind = WINDOWS.find((one) => one === window)
  if (kind === undefined) return `.window must be one of ${WINDOWS.join(', ')}`
  const mode = MODES.find((one) => one === headers)
  return mode === undefined
    ? `.headers must be one of ${MODES.join(', ')}`
    : { limit, per, window: kind, headers: mode }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
}

export function isProfile(value: unknown): value is LimitsProfile {
  return typeof value === 'string' && Object.hasOwn(profiles, value)
}

function of(limit: number, per: number): LimitSetting {
  return { limit, per, window: 'first', headers: 'visible' }
}

const NOTHING: Settings['limits'] = {
  global: null,
  create_lobby: null,
  get_lobby: null,
  edit_lobby: null,
  delete_lobby: null,
  add_lobby_member: null,
  remove_lobby_member: null,
  update_lobby_members: null,
  create_invite: null,
  create_own_invite: null,
  link_lobby: null,
  join_lobby: null,
  all_joins: null,
  send_message: null,
  all_messages: null,
}

const production: Partial<Settings['limits']> = {
  global: of(50, SECOND),
  create_lobby: of(500, 10 * SECOND),
  get_lobby: of(500, 10 * SECOND),
  delete_lobby: of(500, 10 * SECOND),
  add_lobby_member: of(5000, 10 * SECOND),
  remove_lobby_member: of(5000, 10 * SECOND),
  join_lobby: of(10, 60 * SECOND),
  send_message: of(3000, 2 * HOUR),
}

const profiles: Record<LimitsProfile, Partial<Settings['limits']>> = {
  off: {},
  production,
  development: {
    ...production,
    create_lobby: of(100, 2 * HOUR),
    edit_lobby: of(100, 2 * HOUR),
    add_lobby_member: of(100, 2 * HOUR),
    remove_lobby_member: of(100, 2 * HOUR),
    update_lobby_members: of(100, 2 * HOUR),
    create_invite: of(100, 2 * HOUR),
    create_own_invite: of(100, 2 * HOUR),
    link_lobby: of(20, 2 * HOUR),
    all_joins: of(100, 2 * HOUR),
    all_messages: of(100, 2 * HOUR),
  },
}
