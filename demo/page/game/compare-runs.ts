/** Differences of two runs: what was asked for, what came back, how long it took, and the claims. Pure. */
import { decodeToken } from '../exchange/decode-token'
import { type Exchange, type Field, outcome, title } from '../exchange/exchange'
import { claimTexts, passedChecks, type Run } from './runs'

export interface Difference {
  readonly group: 'Run' | 'Parameters' | 'Responses' | 'Durations' | 'Claims'
  readonly name: string
  /** Empty if it is missing. */
  readonly before: string
  readonly after: string
}

interface Side {
  readonly run: Run
  /** Those of the run. */
  readonly exchanges: readonly Exchange[]
}

type Values = Readonly<Record<string, string>>

/** They differ between any two runs. */
const RANDOM = new Set(['state', 'nonce', 'code_challenge'])

export function compareRuns(before: Side, after: Side): readonly Difference[] {
  const groups = { Run: runValues, Parameters: parameters, Responses: responses, Durations: durations, Claims: claims } as const
  const names = ['Run', 'Parameters', 'Responses', 'Durations', 'Claims'] as const
  return names.flatMap((group) => differences(group, groups[group](before), groups[group](after)))
}

function differences(group: Difference['group'], before: Values, after: Values): Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const rows = Array.from(names, (name) => ({ group, name, before: before[name] ?? '', after: after[name] ?? '' }))
  return rows.filter((row) => row.before !== row.after)
}

function runValues({ run }: Side): Values {
  const { outcome: result, player = '', mode } = run
  return { outcome: result, player, window: mode, 'checks passed': String(passedChecks(run)) }
}

/** Of the authorize page and of the token request, without those that are random or secret. */
function parameters({ exchanges, run }: Side): Values {
  const changed = new Set(run.changes.map(({ name }) => name))
  const asked = exchanges.findLast(({ kind }) => kind === 'authorize')?.query ?? []
  const sent = exchanges.find(isTokenRequest)?.body ?? []
  const isStable = ({ name, isSecret }: Field) => !isSecret && (!RANDOM.has(name) || changed.has(name))
  return Object.fromEntries([...sent, ...asked].filter(isStable).map(({ name, value }) => [name, value]))
}

function responses({ exchanges }: Side): Values {
  return Object.fromEntries(exchanges.map((exchange) => [title(exchange), outcome(exchange)]))
}

function durations({ exchanges }: Side): Values {
  const timed = exchanges.filter(({ duration }) => duration !== undefined && duration > 0)
  return Object.fromEntries(timed.map((exchange) => [title(exchange), `${exchange.duration} ms`]))
}

function claims({ run, exchanges }: Side): Values {
  if (Object.keys(run.claims).length > 0) return run.claims
  // A refused token has claims too.
  const token = exchanges.find(isTokenRequest)?.response?.body.find(({ name }) => name === 'id_token')?.value ?? ''
  return claimTexts(decodeToken(token)?.claims ?? {})
}

const isTokenRequest = ({ kind, url, sender }: Exchange) => kind === 'request' && sender === undefined && url.endsWith('/token')
