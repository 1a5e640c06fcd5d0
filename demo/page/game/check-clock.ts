/** Checks of the doctor that read the service's responses: its clock, and the headers about limits that the page may see. */
import { addLobby } from './add-lobby'
import { ApiError, type Client } from 'foyer-sdk'
import type { Exchange } from '../exchange/exchange'
import type { ExchangeRecorder } from '../exchange/exchange-recorder'
import type { PageClock } from './page-clock'
import type { Connection } from './connection'
import { failed, type Finding, passed, warning } from './diagnosis'
import { explain } from './explain'
import { addressesOf } from './addresses-of'

export interface Examined {
  connection: Connection
  exchanges: ExchangeRecorder
  clock: PageClock
}

export const INCOMPLETE = 'The settings of the service are incomplete: see Service.'

/** Difference between two clocks, in ms, that is usual. */
const CLOCK_SKEW = 300_000
/** Largest difference, in ms, that the SDK corrects by the ID token of a sign-in. */
const CORRECTED = 48 * 3_600_000
const LIMIT_HEADERS = /^(?:retry-after|x-ratelimit-)/i

/** Compares with the newest ID token: browsers hide the `Date` header of other origins, unless the service exposes it. */
export async function checkClock({ connection, exchanges, clock }: Examined): Promise<Finding> {
  if (!connection.client) return failed(INCOMPLETE)
  if (Math.abs(clock.now() - Date.now()) > CLOCK_SKEW)
    return warning('Not compared: the clock of this page was set forward under Lifecycle.')
  const skew = skewOfToken(exchanges.list.value) ?? (await skewOfDate(addressesOf(connection.options.service).keysUrl))
  if (skew === undefined)
    return warning('Not compared yet: the browser hides the time of the service. Sign in, then run the checks again: an ID token has it.')
  if (Math.abs(skew) < CLOCK_SKEW) return passed(`The clocks differ by ${(Math.abs(skew) / 1000).toFixed(0)} s.`)
  const direction = skew > 0 ? 'ahead of' : 'behind'
  const words = `The clock of this machine is ${Math.round(Math.abs(skew) / 60_000)} minutes ${direction} the service: set it.`
  if (Math.abs(skew) < CORRECTED) return warning(`${words} Until then, the SDK corrects it by the ID token of each sign-in.`)
  return failed(`${words} The SDK corrects at most two days, and refuses the sign-in.`)
}

/** Time of this machine minus that of the service, in ms. */
function skewOfToken(exchanges: readonly Exchange[]): number | undefined {
  for (const { response, startedAt, duration = 0 } of exchanges.toReversed()) {
    const token = response?.body.find(({ name, isLeftOut }) => name === 'id_token' && !isLeftOut)
    const issuedAt = token && readIssuedAt(token.value)
    if (issuedAt !== undefined) return startedAt + duration - issuedAt * 1000
  }
  return undefined
}

function readIssuedAt(token: string): number | undefined {
  try {
    const [, payload = ''] = token.split('.')
    const { iat }: { iat?: unknown } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof iat === 'number' ? iat : undefined
  } catch {
    return undefined
  }
}

async function skewOfDate(url: string): Promise<number | undefined> {
  const response = await fetch(url, { credentials: 'omit', cache: 'no-store' }).catch(() => undefined)
  const date = Date.parse(response?.headers.get('date') ?? '')
  return Number.isNaN(date) ? undefined : Date.now() - date
}

/**
 * Looks for the headers in what the page's own client received. If there are none, a signed-in player writes to a lobby that does not
 * exist: services send the headers with the responses of limited calls alone.
 */
export async function checkHeaders({ connection, exchanges }: Examined): Promise<Finding> {
  const { client } = connection
  if (!client) return failed(INCOMPLETE)
  const isUnseen = visibleIn(exchanges.list.value).length === 0
  const fault = isUnseen && client.session ? await writeToNoLobby(client, client.session.userId) : undefined
  if (fault !== undefined) return failed(`The API did not answer: ${explain(fault).code}. ${explain(fault).advice}`)
  const visible = visibleIn(exchanges.list.value)
  if (visible.length > 0) return passed(`The page sees ${visible.join(', ')}.`)
  if (!client.session) return warning('No answer of the API yet: sign in, then run the checks again.')
  return warning(
    'The page sees none: the service sends none, or does not list them in Access-Control-Expose-Headers. The SDK then counts by the documented limits alone.',
  )
}

/** Resolves with the error unless the service refused, as it should. A player's id is the id of no lobby. */
async function writeToNoLobby(client: Client, userId: string): Promise<unknown> {
  try {
    const lobby = await addLobby(client, userId)
    await lobby.send('Doctor')
    return undefined
  } catch (error) {
    return error instanceof ApiError ? undefined : error
  }
}

function visibleIn(exchanges: readonly Exchange[]): string[] {
  const names = exchanges.flatMap(({ response }) => response?.headers ?? []).flatMap(({ name }) => (LIMIT_HEADERS.test(name) ? [name] : []))
  return [...new Set(names)].sort()
}
