/** Replays a scenario at one service. */
import type { Step, StepAnswer, Target } from './scenario-types.js'
import { fieldsOf, isObject, isSnowflake } from '../foundation/type-guards.js'
import { DELETION } from './scenario.js'

export interface Replay {
  /** The response; a sentence if there is none to compare. */
  perform: (step: Step) => Promise<StepAnswer | string>
  /** Deletes the lobby of the scenario, if it exists. */
  end: () => Promise<void>
}

/** Milliseconds that a service has for a response. */
const PATIENCE = 15_000
const AGENT = 'FoyerEmulatorBot (https://www.npmjs.com/package/foyer-emulator, 0.1.0)'

/** A response is never followed to another address: requests carry credentials. */
export function createReplay(target: Target): Replay {
  let lobby: string | undefined
  let isDeleted = false
  let silence: string | undefined
  const perform = async (step: Step): Promise<StepAnswer | string> => {
    if (silence !== undefined) return silence
    if (step.path.includes('{lobby}') && lobby === undefined) return 'no lobby was created'
    const answer = await request(step, { target, lobby }).catch((error: unknown) => `no response (${reasonOf(error)})`)
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

async function request(step: Step, { target, lobby }: { target: Target; lobby: string | undefined }): Promise<StepAnswer> {
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

function bodyOf({ json, form }: Step, { applicationId, clientSecret }: Target): { body?: string | URLSearchParams } {
  if (json !== undefined) return { body: JSON.stringify(json) }
  if (form === undefined) return {}
  const secret = clientSecret === undefined ? {} : { client_secret: clientSecret }
  return { body: new URLSearchParams({ client_id: applicationId, ...secret, ...form }) }
}

/** A service may repeat what it was sent, also as the name of a field: nothing of it may reach a report. */
function withoutSecrets(value: unknown, secrets: readonly (string | undefined)[]): unknown {
  if (typeof value === 'string') return secrets.reduce<string>((text, secret) => (secret ? text.replaceAll(secret, '***') : text), value)
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, secrets))
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([key, each]) => [String(withoutSecrets(key, secrets)), withoutSecrets(each, secrets)]))
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
