/** Compares the emulator with a service's OpenAPI document. */
import { textOf } from '../../foundation/values.js'
import { basisOf } from './basis-of.js'
import type { Answer, Call, Drift, DriftReport, Operation } from './drift-types.js'
import { createDriftWorld, type Credential, type DriftWorld, type Send } from './drift-world.js'
import {
  distinct,
  isNotServed,
  judgeCall,
  judgeCaller,
  judgeResponse,
  missingFields,
  otherReason,
  withDecision,
  withErrorsOnce,
  type Finding,
} from './judge-response.js'
import { planCalls } from './plan-calls.js'
import { notReadable, readDescription, type Description } from './read-description.js'

interface DriftOptions {
  /** Path of the document, JSON or YAML, or the document itself. */
  openapi: string | object
  /** Word of the service's brand in names of headers and constants; replaced by `service`. */
  brand?: string | undefined
  /** Reason for each accepted difference: `kind operation place`, with `*` for any text. */
  decisions?: Readonly<Record<string, string>>
  /** Default: the global `fetch`. */
  send?: Send
  onProgress?: (progress: { done: number; total: number; operation: string }) => void
}

/** @throws EmulatorError for a document that cannot be read. */
export async function findDrift({
  openapi,
  brand,
  decisions = {},
  send = fetch,
  onProgress,
}: DriftOptions): Promise<DriftReport> {
  const description = await readDescription(openapi, brand)
  const world = await createDriftWorld()
  const report: DriftReport = {
    drifts: [],
    unreached: [],
    unjudged: [],
    operations: description.operations.length,
    requests: 0,
  }
  try {
    for (const [done, operation] of description.operations.entries()) {
      const name = `${operation.method} ${operation.path}`
      onProgress?.({ done, total: report.operations, operation: name })
      const checked = await checkOperation(operation, { world, description, send })
      const { drifts, unreached, unjudged, requests } = checked
      report.drifts.push(...distinct(drifts))
      report.unjudged.push(...unjudged)
      if (unreached !== undefined) report.unreached.push({ operation: name, reason: unreached })
      report.requests += requests
    }
  } catch (error) {
    // A schema that is checked against itself has no end, and no value either.
    if (error instanceof RangeError) throw notReadable('one of its schemas refers to itself without an end')
    throw error
  } finally {
    await world.close()
  }
  return { ...report, drifts: withErrorsOnce(report.drifts).map((drift) => withDecision(drift, decisions)) }
}

interface Checking {
  world: DriftWorld
  description: Description
  send: Send
}

export interface Checked {
  drifts: Drift[]
  unreached: string | undefined
  unjudged: DriftReport['unjudged']
  requests: number
}

interface DriftAttempt {
  path: string
  credential: Credential
}

interface Tried {
  attempt: DriftAttempt
  call: Call
  answer: Answer
}

const MAX_ADDRESSES = 8

interface Before {
  /** Optional fields without which the emulator refuses: each is reported once, and then sent. */
  needed: ReadonlySet<string>
  /** Requests that were sent already, so that none is sent again. */
  sent: Set<string>
}

async function checkOperation(
  operation: Operation,
  checking: Checking,
  { needed, sent }: Before = { needed: new Set(), sent: new Set() },
): Promise<Checked> {
  const { world, description } = checking
  const collected = createCollector(operation, description)
  const plan = planCalls(operation, description, { known: world.known, needed })
  const { addresses, unknown = operation.precondition } = addressesOf(operation.path, world.ids)
  const attempts = addresses.flatMap((path) =>
    world.credentials.flatMap((credential) => plan.least.map((call) => ({ path, credential, call }))),
  )
  const tried: Tried[] = []
  for (const { call, ...attempt } of attempts) {
    const answer = await perform(operation, call, { ...checking, attempt })
    tried.push({ attempt, call, answer })
    if (answer.status < 400) break
  }
  const answers = tried.map(({ answer }) => answer)
  const last = tried.find(({ answer }) => answer.status < 400)
  const again = (found: Checked, refusals: readonly Answer[]) =>
    retryWith(refusals, { found, needed, sent, operation, checking })
  if (last === undefined) {
    const found = collected.without(answers, unknown)
    const names = await namesThatHelp(tried, plan.others, { operation, checking })
    if (names.every((name) => needed.has(name))) return again(found, answers)
    const next = { needed: new Set([...needed, ...names]), sent }
    return together(found, await checkOperation(operation, checking, next))
  }
  collected.add(last.call, last.answer)
  for (const credential of world.credentials) {
    if (operation.callers === undefined || credential === last.attempt.credential) continue
    const attempt = { ...last.attempt, credential }
    collected.addCaller(credential.of, await perform(operation, last.call, { ...checking, attempt }))
  }
  collected.addCaller(last.attempt.credential.of, last.answer)
  const refused: Answer[] = []
  for (const call of plan.others) {
    const request = JSON.stringify([call.query, call.body])
    if (sent.has(request)) continue
    sent.add(request)
    const answer = await perform(operation, call, { ...checking, attempt: last.attempt })
    collected.add(call, answer)
    if (call.expected === 'success') refused.push(answer)
  }
  return again(collected.result(), refused)
}

/** Requests that are tried to find one that is accepted. */
const MAX_TRIES = 200

/** Fields of the first valid request that is accepted, if no least one is: they are needed together, as the content of a message. */
async function namesThatHelp(
  tried: readonly Tried[],
  calls: readonly Call[],
  { operation, checking }: Pick<Retry, 'operation' | 'checking'>,
): Promise<string[]> {
  const refused = tried.find(({ answer }) => answer.status === 400)
  if (refused === undefined) return []
  const { attempt } = refused
  for (const call of calls.filter(({ expected }) => expected === 'success').slice(0, MAX_TRIES)) {
    const { status } = await perform(operation, call, { ...checking, attempt })
    if (status < 400) return call.at.replaceAll(/\[\d+\]/g, '').split('.')
  }
  return []
}

function together(found: Checked, next: Checked): Checked {
  return {
    ...next,
    drifts: [...found.drifts, ...next.drifts],
    unjudged: [...found.unjudged, ...next.unjudged],
    requests: found.requests + next.requests,
  }
}

interface Retry extends Before {
  found: Checked
  operation: Operation
  checking: Checking
}

/** Compares the operation once more with the fields that refusals of valid requests called missing. */
async function retryWith(
  refusals: readonly Answer[],
  { found, needed, sent, operation, checking }: Retry,
): Promise<Checked> {
  const missing = refusals.flatMap(({ body }) => missingFields(body)).filter((name) => !needed.has(name))
  if (missing.length === 0 || operation.body?.form === true) return found
  const next = { needed: new Set([...needed, ...missing]), sent }
  return together(found, await checkOperation(operation, checking, next))
}

function createCollector(operation: Operation, description: Description) {
  const drifts: Drift[] = []
  const unjudged: Checked['unjudged'] = []
  let requests = 0
  const name = `${operation.method} ${operation.path}`
  const found = (finding: Finding, { rule }: Answer) =>
    drifts.push({
      cause: finding.at,
      ...finding,
      operation: name,
      rule,
      basis: basisOf(operation),
      accepted: undefined,
    })
  const result = (unreached?: string): Checked => ({ drifts, unreached, unjudged, requests })
  return {
    result,
    add(call: Call, answer: Answer) {
      requests += 1
      for (const finding of [...judgeResponse(operation, answer, description), ...judgeCall(call, answer)])
        found(finding, answer)
      const reason =
        call.expected === 'refusal' && answer.status >= 400 ? otherReason(call, answer) : undefined
      if (reason !== undefined)
        unjudged.push({ operation: name, at: `${call.at} ${call.what}`.trim(), reason })
    },
    addCaller(caller: Credential['of'], answer: Answer) {
      for (const finding of judgeCaller(operation, caller, answer)) found(finding, answer)
    },
    /** No request succeeded: the operation is missing, or it refuses its least request. */
    without(answers: Answer[], unknown: string | undefined): Checked {
      requests += answers.length
      const best = answers.find(({ status }) => ![401, 403, 404].includes(status)) ?? answers[0]
      if (best === undefined) return result('it has no address')
      const isUndeclared = ({ status }: Answer) => !operation.responses.has(String(status))
      if (
        answers.some((answer) => answer.status === 501 && isUndeclared(answer)) ||
        answers.every((answer) => isNotServed(answer) && isUndeclared(answer))
      )
        found({ kind: 'operation_not_served', at: '', detail: `it answers ${best.status}` }, best)
      else if (unknown !== undefined) return result(unknown)
      else if (
        answers.every(({ status }) => [401, 403, 404].includes(status)) &&
        answers.some(({ status }) => status === 404)
      )
        return result(`the emulator has no such object: ${best.rule ?? best.status}`)
      else if (operation.responses.has(String(best.status))) return result('it is declared to be refused')
      else {
        const detail = `the least request is valid, and is refused with ${answers.map(({ status }) => status).join(', ')}`
        found({ kind: 'valid_refused', at: '', detail }, best)
        for (const finding of judgeResponse(operation, best, description)) found(finding, best)
      }
      return result()
    },
  }
}

/** Addresses of an operation, with ids after the segments that name them. */
function addressesOf(
  path: string,
  ids: DriftWorld['ids'],
): { addresses: string[]; unknown: string | undefined } {
  let addresses = ['']
  let unknown: string | undefined
  const segments = path.split('/').slice(1)
  // The second of two ids in a row is a token.
  let before = ''
  for (const segment of segments) {
    const isPlaceholder = segment.includes('{')
    const known = ids[before]
    if (isPlaceholder && known === undefined) unknown = `nothing is known for ${segment} after ${before}`
    const options = isPlaceholder ? (known ?? ['1']) : [segment]
    addresses = addresses
      .flatMap((start) => options.map((option) => `${start}/${option}`))
      .slice(0, MAX_ADDRESSES)
    before = isPlaceholder ? `${before} token` : segment
  }
  return { addresses, unknown }
}

async function perform(
  operation: Operation,
  { query, body }: Call,
  { world, send, attempt }: Checking & { attempt: DriftAttempt },
): Promise<Answer> {
  world.restore()
  const path = await world.withInteraction(attempt.path)
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query).toString()}`
  const headers: Record<string, string> =
    attempt.credential.header === undefined ? {} : { authorization: attempt.credential.header }
  const encoded = operation.body === undefined ? undefined : encode(body, operation.body)
  if (encoded !== undefined)
    headers['content-type'] =
      operation.body?.form === true ? 'application/x-www-form-urlencoded' : 'application/json'
  const init = { method: operation.method, headers, ...(encoded === undefined ? {} : { body: encoded }) }
  const response = await send(`${world.emulator.url}/api/v10${path}${search}`, init)
  if (operation.method !== 'GET' && response.status < 400) world.touch()
  const text = await response.text()
  return {
    status: response.status,
    body: parse(text),
    headers: response.headers,
    rule: response.headers.get('x-emulator-rule') ?? undefined,
  }
}

function encode(body: unknown, { form }: { form: boolean }): string {
  if (!form) return JSON.stringify(body)
  return new URLSearchParams(
    Object.entries(Object(body)).map(([name, value]): [string, string] => [
      name,
      textOf(value) ?? String(value),
    ]),
  ).toString()
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
