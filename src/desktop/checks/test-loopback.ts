/** Test of the loopback server that receives the response of a sign-in. */
import { get } from 'node:http'
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { Check } from '../../shared/foundation/log-entry'
import { randomText } from '../../shared/foundation/crypto'
import { type Loopback, openLoopback } from '../main/loopback-server'

/** Time in ms after which a request counts as blocked. */
const TIMEOUT = 5000

/** Result of the loopback test. */
export interface LoopbackReport {
  /** Port that the system chose. Absent if no server could listen. */
  port?: number
  /**
   * `listen`, `wrong_state` (must be refused with 404), `right_state` (must be accepted), and `closed` (must not answer after the end). `got`
   * is an HTTP status, or an error code of the system.
   */
  checks: readonly Check[]
}

export async function testLoopback(): Promise<LoopbackReport> {
  let loopback: Loopback
  try {
    loopback = await openLoopback()
  } catch (error) {
    return { checks: [{ check: 'listen', result: 'failed', got: errorCode(error) }] }
  }
  const { redirectUri } = loopback
  const answered = await testStates(loopback)
  loopback.close()
  const closed = compare('closed', 'ECONNREFUSED', await request(redirectUri))
  return {
    port: Number(new URL(redirectUri).port),
    checks: [{ check: 'listen', result: 'passed' }, ...answered, closed],
  }
}

async function testStates(loopback: Loopback): Promise<Check[]> {
  const state = randomText()
  const taken = new Promise<void>((resolve) => {
    loopback.expect({
      belongs: (url) => new URL(url).searchParams.get('state') === state,
      take: () => resolve(),
      giveUp: () => undefined,
    })
  })
  const wrong = await request(`${loopback.redirectUri}?state=${randomText()}`)
  const right = await request(`${loopback.redirectUri}?state=${state}`)
  if (right === '200') await taken
  return [compare('wrong_state', '404', wrong), compare('right_state', '200', right)]
}

function compare(check: string, expected: string, got: string): Check {
  return { check, result: got === expected ? 'passed' : 'failed', expected, got }
}

/** Resolves with the HTTP status or an error code, after the end of the connection. */
function request(url: string): Promise<string> {
  return new Promise((resolve) => {
    let status = 'ETIMEDOUT'
    const sent = get(url, { agent: false, timeout: TIMEOUT }, (response) => {
      status = String(response.statusCode)
      response.resume()
    })
    sent.on('timeout', () => sent.destroy())
    sent.on('error', (error) => (status = errorCode(error)))
    sent.on('close', () => resolve(status))
  })
}

/** Returns the code of a system error, without its message. */
export function errorCode(error: unknown): string {
  return isRecord(error) && typeof error['code'] === 'string' ? error['code'] : 'unknown'
}
