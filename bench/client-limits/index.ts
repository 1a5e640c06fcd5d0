/**
 * CPU time that the backend client adds to a request when no limit delays it, compared with plain `undici` and plain `fetch`, in one process.
 * All of them send the same headers, since the service requires a `User-Agent`.
 */
import { fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type * as Server from 'foyer-sdk/server'
import { Pool } from 'undici'
import { compare, type Result, type Round } from '../measure'

const AT_ONCE = 64
const NONE = { limit: 1e9, per: 1000 }
const AGENT = 'ServiceBot (https://www.npmjs.com/package/foyer-sdk, 0.1.0)'

export async function bench(): Promise<Result[]> {
  const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)))
  try {
    const port = await new Promise((resolve) => server.once('message', resolve))
    return await measure(`http://127.0.0.1:${String(port)}`)
  } finally {
    server.kill()
  }
}

async function measure(host: string): Promise<Result[]> {
  const sdk: typeof Server = createRequire(pathToFileURL('dist/'))('./server/index.cjs')
  const pool = new Pool(host, { connections: AT_ONCE })
  const base = { applicationId: '1234567890123456789', credentials: sdk.botToken('secret') }
  const service = { host, limits: { get_lobby: NONE, global: NONE } }
  const overPool = new sdk.ApplicationClient({ ...base, service, transport: sdk.undiciTransport(pool) })
  const overFetch = new sdk.ApplicationClient({ ...base, service })
  const path = '/api/v10/lobbies/1287654321098765433'
  const headers = { accept: 'application/json', authorization: 'Bot secret', 'user-agent': AGENT }
  const barePool = cpu(async () => (await pool.request({ path, method: 'GET', headers })).body.json())
  const bareFetch = cpu(async () => (await fetch(host + path, { headers })).json())
  // A request that can time out needs a signal, and one that stays with its address needs these options. The body is read as a text, since it
  // may be no JSON. Nothing over `fetch` can be faster than this.
  const withSignal = cpu(async () => {
    const { signal } = new AbortController()
    const response = await fetch(host + path, { headers, signal, ...SAFE })
    const body: unknown = JSON.parse(await response.text())
    return body
  })
  const rounds = { rounds: 40, operations: 2000 }
  const get = (client: Server.ApplicationClient) => cpu(() => client.lobbies.get('1287654321098765433'))
  const few = { ...rounds, rounds: 20 }
  const results = [
    toResult('undici', 1.2, await compare(get(overPool), barePool, rounds)),
    toResult('fetch with a signal', 1.3, await compare(get(overFetch), withSignal, few)),
    toResult('fetch', Infinity, await compare(get(overFetch), bareFetch, few)),
  ]
  overPool.close()
  overFetch.close()
  await pool.close()
  return results
}

const SAFE = {
  cache: 'no-store',
  credentials: 'omit',
  redirect: 'manual',
  referrerPolicy: 'no-referrer',
} as const

/** CPU time of all threads for that many requests, 64 at a time, in ms. */
function cpu(request: () => Promise<unknown>): Round {
  return async (operations) => {
    let left = operations
    const line = async () => {
      while (left-- > 0) await request()
    }
    const begin = process.cpuUsage()
    await Promise.all(Array.from({ length: AT_ONCE }, line))
    const { user, system } = process.cpuUsage(begin)
    return (user + system) / 1000
  }
}

function toResult(peer: string, most: number, comparison: Awaited<ReturnType<typeof compare>>): Result {
  const ratio = 1 / comparison.ratio
  return {
    bench: 'client, CPU of a request',
    where: `beside ${peer}`,
    ...comparison,
    ratio,
    target: most === Infinity ? 'none' : `<= ${most} times`,
    passed: ratio <= most,
  }
}
