/** Arrows of a sequence diagram, drawn from what was recorded: the calls of the game, the exchanges and the checks of the SDK. Pure. */
import { type Exchange, outcome, title } from './exchange'
import type { RecordedCall } from './exchange-recorder'

export const LANES = ['Game', 'SDK', 'Browser', 'Auth', 'API'] as const
export type Lane = (typeof LANES)[number]

/** One arrow; from a lane to itself for what happens inside it. */
export interface Arrow {
  from: Lane
  to: Lane
  text: string
  isResponse: boolean
  isFailed?: boolean
  /** Exchange that the arrow belongs to; undefined for a call of the game. */
  id?: number
  /** Epoch ms. */
  at: number
}

/** Arrows of all calls and exchanges, in the order in which they happened. */
export function toArrows(exchanges: readonly Exchange[], calls: readonly RecordedCall[]): Arrow[] {
  return [...calls.flatMap(callArrows), ...exchanges.flatMap(exchangeArrows)].toSorted((a, b) => a.at - b.at)
}

function callArrows({ name, startedAt, endedAt, result, isFailed }: RecordedCall): Arrow[] {
  const call: Arrow = { from: 'Game', to: 'SDK', text: name, isResponse: false, at: startedAt }
  if (endedAt === undefined) return [call]
  return [
    call,
    {
      from: 'SDK',
      to: 'Game',
      text: result ?? '',
      isResponse: true,
      isFailed: isFailed === true,
      at: endedAt,
    },
  ]
}

function exchangeArrows(exchange: Exchange): Arrow[] {
  const { kind, id, startedAt: at, sender } = exchange
  const text = [title(exchange), sender].filter(Boolean).join(', ')
  if (kind === 'authorize')
    return [
      { from: 'SDK', to: 'Browser', text: 'opens the consent page', isResponse: false, id, at },
      { from: 'Browser', to: 'Auth', text, isResponse: false, id, at },
    ]
  if (kind === 'callback')
    return [
      { from: 'Auth', to: 'Browser', text: 'redirects', isResponse: true, id, at },
      { from: 'Browser', to: 'SDK', text, isResponse: true, id, at },
      ...checkArrows(exchange, at),
    ]
  return requestArrows(exchange, text)
}

function requestArrows(exchange: Exchange, text: string): Arrow[] {
  const { id, startedAt: at, duration = 0, response, failure } = exchange
  const service = laneOf(exchange)
  const sent: Arrow = { from: 'SDK', to: service, text, isResponse: false, id, at }
  if (!response && failure === undefined) return [sent]
  const isFailed = failure !== undefined || (response?.status ?? 0) >= 400
  const end = at + duration
  return [
    sent,
    { from: service, to: 'SDK', text: outcome(exchange), isResponse: true, isFailed, id, at: end },
    ...checkArrows(exchange, end),
  ]
}

function checkArrows({ checks, id }: Exchange, at: number): Arrow[] {
  if (checks.length === 0) return []
  const failed = checks.filter(({ result }) => result === 'failed').map(({ check }) => check)
  const text =
    failed.length > 0 ? `check failed: ${failed.join(', ')}` : `${checks.length} checks, none failed`
  return [{ from: 'SDK', to: 'SDK', text, isResponse: false, isFailed: failed.length > 0, id, at }]
}

/** A request with a bearer token is for the API; every other one is part of the authorization. */
function laneOf({ headers }: Exchange): 'Auth' | 'API' {
  const authorization = headers.find(({ name }) => name.toLowerCase() === 'authorization')
  const isBearer =
    authorization !== undefined && (authorization.isLeftOut === true || /^Bearer /i.test(authorization.value))
  return isBearer ? 'API' : 'Auth'
}

export function toMermaid(arrows: readonly Arrow[]): string {
  const lines = arrows.map(
    ({ from, to, text, isResponse }) =>
      `  ${from}${isResponse ? '-->>' : '->>'}${to}: ${text.replaceAll(/[;#]/g, ' ')}`,
  )
  return ['sequenceDiagram', ...LANES.map((lane) => `  participant ${lane}`), ...lines].join('\n')
}
