/** Rows of a run in the order in which they happened: its steps, each with the message that it is about, and the other requests. Pure. */
import type { Check } from 'foyer-sdk'
import { type Exchange, isFailed } from '../exchanges/exchange'
import type { Run, SignInStep } from './runs'

export interface RunRow {
  /** Stays the same while the row changes. */
  readonly key: string
  readonly kind: SignInStep['kind']
  /** Step of the SDK's log; empty for one of this page. */
  readonly name: string
  readonly title: string
  readonly detail: string
  readonly checks: readonly Check[]
  /** ms since the run began. */
  readonly at: number
  /** Undefined if none was recorded. */
  readonly message?: Exchange | undefined
  /** True for a request that is no step of the sign-in. */
  readonly isRequest: boolean
}

/** Messages of a run. @param all those of this page. */
export function messagesOf({ id, opened }: Run, all: readonly Exchange[]): readonly Exchange[] {
  return opened?.messages ?? all.filter(({ run }) => run === id)
}

/** Claims of the ID token that a message brought, as its run has kept them. A refresh and another library bring another token. */
export function signedClaims({ body, sender }: Exchange, run: Run | undefined): Run['claims'] {
  const isOther = sender !== undefined || body.some(({ value }) => value === 'refresh_token')
  return isOther ? {} : (run?.claims ?? {})
}

/** @param own messages of the run. */
export function rowsOf(run: Run, own: readonly Exchange[]): readonly RunRow[] {
  const steps = run.steps.map((step) => ({
    ...step,
    // A step keeps its time when its checks arrive.
    key: `${run.id} ${step.at} ${step.title}`,
    message: messageOf(step, own, run.startedAt + step.at),
    isRequest: false,
  }))
  const shown = new Set(steps.flatMap(({ name, message }) => (name === '' ? [] : [message])))
  const others = own.filter((message) => !shown.has(message))
  return [...steps, ...others.map((message) => requestRow(run, message))].toSorted((a, b) => a.at - b.at)
}

/** Row that is shown: the chosen one, or the last one. The sign-in's own requests beside its steps count only when they are chosen. */
export function shownRow(
  rows: readonly RunRow[],
  { startedAt, endedAt = Infinity }: Run,
  chosen: string | undefined,
): RunRow | undefined {
  const isBeside = ({ isRequest, at }: RunRow) => isRequest && startedAt + at <= endedAt
  return rows.find(({ key }) => key === chosen) ?? rows.findLast((row) => !isBeside(row)) ?? rows.at(-1)
}

/** Row that a message belongs to: of several the last one, which has its checks. */
export function rowOfMessage(rows: readonly RunRow[], id: number): RunRow | undefined {
  return rows.findLast(({ message }) => message?.id === id)
}

/** @param at epoch ms of the step. */
function messageOf({ kind, name }: SignInStep, own: readonly Exchange[], at: number): Exchange | undefined {
  if (name === 'authorization.started') return own.find((one) => one.kind === 'authorize')
  if (/^authorization\.(answered|checked)$/.test(name)) return own.find((one) => one.kind === 'callback')
  if (/^(token\.|id_token\.)/.test(name))
    return own.find(({ kind: of, url, isAgain }) => of === 'request' && !isAgain && url.endsWith('/token'))
  if (kind !== 'failed' || name !== '') return undefined
  // An error is about the message that failed, or else about the last one.
  const before = own.filter(({ startedAt }) => startedAt <= at)
  return before.findLast(isFailed) ?? before.at(-1)
}

function requestRow({ id, startedAt }: Run, message: Exchange): RunRow {
  return {
    key: `${id} message ${message.id}`,
    kind: isFailed(message) ? 'failed' : 'done',
    name: '',
    title: message.isAgain ? `${requestTitle(message)}, sent again` : requestTitle(message),
    detail: '',
    checks: [],
    at: Math.max(0, message.startedAt - startedAt),
    message,
    isRequest: true,
  }
}

function requestTitle({ kind, method, url, body }: Exchange): string {
  if (kind !== 'request') return kind === 'authorize' ? 'Authorize page' : 'Callback'
  const grant = body.find(({ name }) => name === 'grant_type')?.value
  if (url.endsWith('/token')) return grant === 'refresh_token' ? 'Token refresh' : 'Token request'
  if (url.endsWith('/revoke')) return 'Token revocation'
  return /\/keys$|jwks/.test(url) && method === 'GET' ? 'Keys of the service' : 'API call'
}
