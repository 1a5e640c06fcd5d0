/** Exchanges as text for other tools: cURL, code with the SDK, a test, and HAR. Secrets are left out. */
import { type HarExchange, toHar as archiveOf } from 'kit/to-har'
import { type Exchange, type Field, outcome, title } from './exchange'

/** Stands for a secret. */
const PLACEHOLDER = 'SECRET'

const safe = ({ value, isSecret }: Field): string => (isSecret ? PLACEHOLDER : value)
const safePairs = (fields: readonly Field[]): [string, string][] => fields.map((one) => [one.name, safe(one)])

function safeUrl({ url, query }: Exchange): string {
  const search = new URLSearchParams(safePairs(query)).toString()
  return search === '' ? url : `${url}?${search}`
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export function toCurl(exchange: Exchange): string {
  const { method, headers, body } = exchange
  const parts = [`curl -i -X ${method} ${quote(safeUrl(exchange))}`]
  for (const header of headers) parts.push(`-H ${quote(`${header.name}: ${safe(header)}`)}`)
  for (const [name, value] of safePairs(body))
    parts.push(name === '' ? `--data ${quote(value)}` : `--data-urlencode ${quote(`${name}=${value}`)}`)
  return parts.join(' \\\n  ')
}

/** The call of the SDK that makes the exchange happen. */
export function toSdkCode({ kind, url, body }: Exchange): string {
  const grant = body.find(({ name }) => name === 'grant_type')?.value
  if (kind === 'authorize') return 'const result = await client.authorize({ scopes })'
  if (kind === 'callback') return 'const result = await client.handleCallback()'
  if (grant === 'refresh_token') return 'const tokens = await client.refreshToken()'
  if (url.endsWith('/token')) return 'const session = await client.signIn({ result })'
  return url.endsWith('/users/@me')
    ? 'const player = await client.fetchCurrentUser()'
    : '// The SDK sends this request by itself.'
}

/** A test that expects the same response from the emulator. */
export function toTest(exchange: Exchange): string {
  const { method, headers, body, response } = exchange
  const options = [
    `method: '${method}'`,
    headers.length > 0 && `headers: ${JSON.stringify(Object.fromEntries(safePairs(headers)))}`,
    body.length > 0 && `body: new URLSearchParams(${JSON.stringify(Object.fromEntries(safePairs(body)))})`,
  ]
  return [
    `it(${JSON.stringify(`${title(exchange)} returns ${response?.status ?? 'no response'}`)}, async () => {`,
    `  const response = await fetch(${JSON.stringify(safeUrl(exchange))}, { ${options.filter(Boolean).join(', ')} })`,
    `  expect(response.status).toBe(${response?.status ?? 0})`,
    '})',
  ].join('\n')
}

/** HTTP Archive 1.2 with all exchanges. */
export function toHar(exchanges: readonly Exchange[]): string {
  return archiveOf('Foyer demo', exchanges.map(harExchange))
}

function harExchange(exchange: Exchange): HarExchange {
  const { method, startedAt, duration = 0, headers, query, body, response } = exchange
  const params = safePairs(body)
  const form = {
    type: 'application/x-www-form-urlencoded',
    text: new URLSearchParams(params).toString(),
    params,
  }
  const received = JSON.stringify(Object.fromEntries(safePairs(response?.body ?? [])))
  return {
    method,
    url: safeUrl(exchange),
    query: safePairs(query),
    startedAt,
    duration,
    request: { headers: safePairs(headers), ...(body.length > 0 && { body: form }) },
    response: {
      headers: safePairs(response?.headers ?? []),
      body: { type: 'application/json', text: received },
      status: response?.status ?? 0,
      statusText: outcome(exchange),
    },
  }
}
