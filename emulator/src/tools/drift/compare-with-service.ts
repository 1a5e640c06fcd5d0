/** Replays the scenario at the emulator and at a service, and collects the first difference of each step. */
import { createEmulator } from '../../emulator/create-emulator.js'
import type { Emulator } from '../../api/control/emulator.js'
import { fieldsOf, isObject, isSnowflake } from '../../foundation/values.js'
import { firstDifference } from './first-difference.js'
import { withDecision } from './judge-response.js'
import { DELETION, scenario, type Comparison, type Step, type StepAnswer, type Target } from './scenario.js'

/** Decisions: the reason for each accepted difference, `kind step place`, with `*` for any text. */
export async function compareWithService(
  service: Target,
  decisions: Readonly<Record<string, string>> = {},
): Promise<Comparison> {
  const emulator = await createEmulator({
    limits: 'off',
    seed: { application: { id: service.applicationId } },
  })
  const [here, there] = [createReplay(targetOf(emulator)), createReplay(service)]
  const comparison: Comparison = { differences: [], skipped: [], steps: scenario.length }
  try {
    for (const step of scenario) await compareStep(step, { here, there, comparison, decisions })
  } finally {
    await Promise.allSettled([there.end(), here.end()])
    await emulator.close()
  }
  return comparison
}

interface Comparing {
  here: Replay
  there: Replay
  comparison: Comparison
  decisions: Readonly<Record<string, string>>
}

async function compareStep(step: Step, { here, there, comparison, decisions }: Comparing): Promise<void> {
  const [own, other] = [await here.perform(step), await there.perform(step)]
  if (typeof other === 'string') comparison.skipped.push({ step: step.name, reason: `the service: ${other}` })
  else if (typeof own === 'string')
    comparison.skipped.push({ step: step.name, reason: `the emulator: ${own}` })
  if (typeof own === 'string' || typeof other === 'string') return
  const difference = firstDifference(step, { here: own, there: other })
  if (difference !== undefined)
    comparison.differences.push(withDecision({ ...difference, operation: step.name }, decisions))
}

function targetOf({ url, application }: Emulator): Target {
  return {
    api: `${url}/api/v10`,
    applicationId: application.id,
    botToken: application.botToken,
    clientSecret: application.clientSecret,
  }
}

interface Replay {
  /** The response; a sentence if there is none to compare. */
  perform: (step: Step) => Promise<StepAnswer | string>
  /** Deletes the lobby of the scenario, if it exists. */
  end: () => Promise<void>
}

/** Milliseconds that a service has for a response. */
const PATIENCE = 15_000
const AGENT = 'FoyerEmulatorBot (https://www.npmjs.com/package/foyer-emulator, 0.1.0)'

/** A response is never followed to another address: requests carry credentials. */
function createReplay(target: Target): Replay {
  let lobby: string | undefined
  let isDeleted = false
  let silence: string | undefined
  const perform = async (step: Step): Promise<StepAnswer | string> => {
    if (silence !== undefined) return silence
    if (step.path.includes('{lobby}') && lobby === undefined) return 'no lobby was created'
    const answer = await request(step, { target, lobby }).catch(
      (error: unknown) => `no response (${reasonOf(error)})`,
    )
    if (typeof answer === 'string') return (silence = answer)
    if (answer.status === 429) return 'too many requests, try again later'
    const { id } = fieldsOf(answer.body)
    if (step.createsLobby === true && answer.status < 300 && isSnowflake(id)) lobby = id
    if (step === DELETION) isDeleted = answer.status < 300
    return answer
  }
  return {
    perform,
    async end() {
      if (lobby !== undefined && !isDeleted) await request(DELETION, { target, lobby })
    },
  }
}

async function request(
  step: Step,
  { target, lobby }: { target: Target; lobby: string | undefined },
): Promise<StepAnswer> {
  const path = step.path.replace('{application}', target.applicationId).replace('{lobby}', lobby ?? '')
  const response = await fetch(target.api + path, {
    method: step.method,
    headers: headersOf(step, target),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE),
    ...bodyOf(step, target),
  })
  const body = withoutSecrets(parse(await response.text()), [target.botToken, target.clientSecret])
  return { status: response.status, body, headers: response.headers }
}

function headersOf({ as, headers = {}, json }: Step, { botToken }: Target): Record<string, string> {
  return {
    'user-agent': AGENT,
    ...(as === 'application' ? { authorization: `Bot ${botToken}` } : {}),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
}

function bodyOf(
  { json, form }: Step,
  { applicationId, clientSecret }: Target,
): { body?: string | URLSearchParams } {
  if (json !== undefined) return { body: JSON.stringify(json) }
  if (form === undefined) return {}
  const secret = clientSecret === undefined ? {} : { client_secret: clientSecret }
  return { body: new URLSearchParams({ client_id: applicationId, ...secret, ...form }) }
}

/** A service may repeat what it was sent, also as the name of a field: nothing of it may reach a report. */
function withoutSecrets(value: unknown, secrets: readonly (string | undefined)[]): unknown {
  if (typeof value === 'string')
    return secrets.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '***') : text), value)
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, secrets))
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, each]) => [String(withoutSecrets(key, secrets)), withoutSecrets(each, secrets)]),
  )
}

/** The code of a network error, without its message: that may contain the address with everything in it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name
}

function parse(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
