/** Fault rules of the inspector: presets, a rule from the fields of the form, and a rule in words. */
import type { FaultEffect, FaultRule } from '../../service/faults/faults.js'
import type { SetFault } from './control/inspector-data.js'

export const METHODS = ['any method', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Effects of the form, by the text of the choice. */
export const EFFECTS = {
  status: 'responds with a status',
  delay: 'takes longer',
  drop: 'closes the connection',
  lostAnswer: 'loses the response',
} as const

export type EffectName = keyof typeof EFFECTS

/** Text of each choice: WebKit draws a closed list as wide as its longest choice. */
export const EFFECT_CHOICES: Readonly<Record<EffectName, string>> = {
  status: 'status',
  delay: 'delay',
  drop: 'disconnect',
  lostAnswer: 'lost response',
}

export interface FaultFields {
  method: string
  /** Path without a query; `*` matches anything. */
  path: string
  effect: EffectName
  /** Status, or milliseconds of a delay. */
  value: string
  /** Number of requests. */
  times: string
}

const TOKEN_REQUEST = { path: '/api/v10/oauth2/token' }
const API = { path: '/api/*' }
const BLOCKED = '<!doctype html><title>Blocked</title><h1>Too many requests</h1>'

/** A fault, or the faults of a situation in their order. */
export interface FaultPreset {
  label: string
  rules: readonly FaultRule[]
}

export const FAULT_PRESETS: readonly FaultPreset[] = [
  {
    label: 'The next token request fails (500)',
    rules: [{ match: TOKEN_REQUEST, effect: { status: 500, body: {} } }],
  },
  {
    label: 'The response of the next token request is lost',
    rules: [{ match: TOKEN_REQUEST, effect: { lostAnswer: true } }],
  },
  { label: 'The next request takes 5 seconds', rules: [{ effect: { delay: 5000 } }] },
  {
    label: 'The next API call is refused (429)',
    rules: [
      { match: API, effect: { status: 429, headers: { 'Retry-After': '5' }, body: { retry_after: 5 } } },
    ],
  },
  { label: 'The next connection is closed', rules: [{ effect: { drop: true } }] },
]

export const SITUATIONS: readonly FaultPreset[] = [
  {
    label: 'Bad Wi-Fi',
    rules: [
      { match: API, times: 2, effect: { drop: true } },
      { match: API, times: 3, effect: { delay: 2000 } },
      { match: API, effect: { lostAnswer: true } },
    ],
  },
  {
    label: 'Blocked address',
    rules: [
      { match: API, times: 10, effect: { status: 429, headers: { 'Retry-After': '30' }, body: BLOCKED } },
    ],
  },
  {
    label: 'All access tokens refused',
    rules: ['/api/v10/users/*', '/api/v10/lobbies*'].map((path) => ({
      match: { path },
      times: 20,
      effect: { status: 401, body: { message: '401: Unauthorized', code: 0 } },
    })),
  },
  {
    label: 'Slow token endpoint',
    rules: [{ match: TOKEN_REQUEST, times: 3, effect: { delay: 20_000 } }],
  },
  { label: 'Service down (503)', rules: [{ match: API, times: 1000, effect: { status: 503, body: '' } }] },
]

/** True while a rule of the preset is left. */
export function isSet(rules: readonly SetFault[], preset: FaultPreset): boolean {
  const keys = new Set(preset.rules.map(keyOf))
  return rules.some((rule) => keys.has(keyOf(rule)))
}

/** Removes what is left of a preset, or adds its rules. */
export function toggle(rules: readonly SetFault[], preset: FaultPreset): FaultRule[] {
  if (!isSet(rules, preset)) return [...rules, ...preset.rules]
  const keys = new Set(preset.rules.map(keyOf))
  return rules.filter((rule) => !keys.has(keyOf(rule)))
}

/** The emulator checks the values, and reports what is wrong with them. */
export function ruleOf({ method, path, effect, value, times }: FaultFields): FaultRule {
  return {
    match: { ...(method === METHODS[0] ? {} : { method }), path: path.trim() },
    times: Number(times),
    effect: effectOf(effect, Number(value)),
  }
}

function effectOf(name: EffectName, value: number): FaultEffect {
  if (name === 'status') return { status: value, body: {} }
  if (name === 'delay') return { delay: value }
  return name === 'drop' ? { drop: true } : { lostAnswer: true }
}

/** Requests that a rule affects, for example `POST /api/*`. */
export function matchWords({
  match: { method = 'any method', path = 'any path' },
}: Pick<SetFault, 'match'>): string {
  return `${method} ${path}`
}

export function effectWords({ status, delay, drop, lostAnswer, headers }: FaultEffect): string {
  const words = [
    delay !== undefined && `takes ${delay} ms longer`,
    status !== undefined && `responds with ${status}`,
    drop === true && EFFECTS.drop,
    lostAnswer === true && EFFECTS.lostAnswer,
    headers !== undefined && `sets ${Object.keys(headers).join(', ')}`,
  ].filter((each) => each !== false)
  return words.join(', ') || 'responds with another body'
}

/** Removes the first rule with the same match and effect: its count may have changed since it was shown. */
export function without(rules: readonly SetFault[], removed: SetFault): SetFault[] {
  const at = rules.findIndex((rule) => keyOf(rule) === keyOf(removed))
  return rules.filter((_, index) => index !== at)
}

function keyOf({ match = {}, effect }: FaultRule): string {
  return JSON.stringify([
    match.method,
    match.path,
    Object.entries(effect).toSorted(([one], [other]) => one.localeCompare(other)),
  ])
}
