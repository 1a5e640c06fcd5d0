/** Comparison of the emulator with a description: nothing for that of docs/interface, every planted difference, and nothing else. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type DriftReport, findDrift, printDrift } from '../support/emulator-internals'

interface Fields {
  [name: string]: Fields
}

const FILE = 'docs/interface/openapi.json'
const LOBBY = '/lobbies/{lobby_id}'
const GUILD_COMMANDS = '/applications/{application.id}/guilds/{guild.id}/commands'
const PERMISSIONS = `${GUILD_COMMANDS}/{command.id}/permissions`

const read = (): Fields => JSON.parse(readFileSync(FILE, 'utf8')) as Fields
const found = ({ drifts }: DriftReport) =>
  drifts.map(({ kind, operation, at }) => `${kind} ${operation} ${at}`.trim()).toSorted()

/** Body or response of an operation, with its own copy of the schema. */
function schemaOf(document: Fields, operation: string, part: 'body' | 'response' = 'body'): Fields {
  const { responses = {}, requestBody = {} } = operationOf(document, operation)
  const [success = {}] = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') ? [response] : [],
  )
  const { content = {} } = part === 'body' ? requestBody : success
  const [media = {}] = Object.values(content)
  const reference: unknown = media['schema']?.['$ref']
  const name = typeof reference === 'string' ? reference.replace(/.*\//, '') : ''
  const own =
    name === '' ? (media['schema'] ?? {}) : structuredClone(document['components']?.['schemas']?.[name] ?? {})
  media['schema'] = own
  return own
}

function operationOf(document: Fields, operation: string): Fields {
  const [method = '', path = ''] = operation.split(' ')
  return document['paths']?.[path]?.[method.toLowerCase()] ?? {}
}

const propertyOf = (schema: Fields, name: string): Fields => schema['properties']?.[name] ?? {}
const change = (fields: Fields, changes: object) => void Object.assign(fields, changes)

function changeQuery(document: Fields, operation: string, changes: object): void {
  const { parameters } = operationOf(document, operation)
  for (const { name, schema = {} } of Object.values(parameters ?? {})) {
    const given: unknown = name
    if (given === 'limit') change(schema, changes)
  }
}

/** Differences in the description, each with what must be found. */
const IN_DESCRIPTION: readonly [finding: string, plant: (document: Fields) => void][] = [
  [
    'operation_not_served GET /lobbies',
    ({ paths = {} }) => change(paths['/lobbies'] ?? {}, { get: { responses: { 200: {} } } }),
  ],
  [
    'status_not_declared POST /lobbies 201',
    (document) => delete operationOf(document, 'POST /lobbies')['responses']?.['201'],
  ],
  [
    `response_invalid GET ${LOBBY} 200 members`,
    (document) =>
      change(propertyOf(schemaOf(document, `GET ${LOBBY}`, 'response'), 'members'), { type: 'string' }),
  ],
  [
    'response_invalid GET /users/@me/guilds 200 [0]',
    (document) =>
      change(schemaOf(document, 'GET /users/@me/guilds', 'response'), {
        items: { type: 'object', required: ['banner_url'] },
      }),
  ],
  [
    `valid_refused PATCH ${LOBBY} idle_timeout_seconds`,
    (document) =>
      change(propertyOf(schemaOf(document, `PATCH ${LOBBY}`), 'idle_timeout_seconds'), { maximum: 700_000 }),
  ],
  [
    `valid_refused POST ${LOBBY}/messages content`,
    (document) =>
      change(propertyOf(schemaOf(document, `POST ${LOBBY}/messages`), 'content'), { maxLength: 3000 }),
  ],
  [
    'invalid_accepted PUT /lobbies secret bound',
    (document) => change(propertyOf(schemaOf(document, 'PUT /lobbies'), 'secret'), { maxLength: 200 }),
  ],
  [
    'invalid_accepted POST /partner-sdk/child-token region missing',
    (document) => {
      const schema = schemaOf(document, 'POST /partner-sdk/child-token')
      change(schema['properties'] ?? {}, { region: {} })
      change(schema, { required: ['parent_access_token', 'child_application_id', 'region'] })
    },
  ],
  [
    `valid_refused PUT ${LOBBY}/members/{user_id} flags`,
    (document) =>
      change(propertyOf(schemaOf(document, `PUT ${LOBBY}/members/{user_id}`), 'flags'), {
        enum: [1, 2, null],
      }),
  ],
  [
    `invalid_accepted POST ${LOBBY}/members/bulk [0].unexpected extra`,
    (document) => {
      const { BulkMember = {} } = document['components']?.['schemas'] ?? {}
      change(schemaOf(document, `POST ${LOBBY}/members/bulk`), {
        items: { ...BulkMember, additionalProperties: false },
      })
    },
  ],
  [
    `valid_refused GET ${LOBBY}/messages ?limit`,
    (document) => changeQuery(document, `GET ${LOBBY}/messages`, { maximum: 300 }),
  ],
  [
    'invalid_accepted GET /applications/{application_id}/entitlements ?limit bound',
    (document) => changeQuery(document, 'GET /applications/{application_id}/entitlements', { minimum: 2 }),
  ],
]

const CALLBACK = 'POST /interactions/{id}/{token}/callback'

/** Differences in null, patterns, formats, maps, depth, numbers of items, headers, callers and callbacks: each alone, with all that may be found. */
const ALONE: readonly [finding: string, operation: string, plant: (document: Fields) => void][] = [
  [
    'invalid_accepted PATCH /lobbies/{lobby_id} idle_timeout_seconds null',
    `PATCH ${LOBBY}`,
    (document) =>
      change(propertyOf(schemaOf(document, `PATCH ${LOBBY}`), 'idle_timeout_seconds'), { type: 'integer' }),
  ],
  [
    `invalid_accepted ${CALLBACK} data.nonce missing`,
    CALLBACK,
    (document) => {
      const { MessageInput = {} } = document['components']?.['schemas'] ?? {}
      change(propertyOf(schemaOf(document, CALLBACK), 'data'), {
        $ref: undefined,
        ...MessageInput,
        properties: { ...MessageInput['properties'], nonce: { type: ['string', 'null'] } },
        required: ['content', 'nonce'],
      })
    },
  ],
  [
    `invalid_accepted ${CALLBACK} data.embeds[0].fields[0].name bound`,
    CALLBACK,
    (document) =>
      change(propertyOf(document['components']?.['schemas']?.['EmbedInput'] ?? {}, 'fields')['items'] ?? {}, {
        properties: { name: { type: 'string', maxLength: 50 }, value: { type: 'string', minLength: 1 } },
      }),
  ],
  [
    `invalid_accepted POST ${GUILD_COMMANDS} options[0].choices[0].name bound`,
    `POST ${GUILD_COMMANDS}`,
    (document) => {
      const { Choice = {}, OptionInput = {} } = document['components']?.['schemas'] ?? {}
      const name = { ...propertyOf(Choice, 'name'), maxLength: 50 }
      change(propertyOf(OptionInput, 'choices'), {
        items: { ...Choice, properties: { ...Choice['properties'], name } },
      })
    },
  ],
  [
    `invalid_accepted POST ${GUILD_COMMANDS} options bound`,
    `POST ${GUILD_COMMANDS}`,
    (document) =>
      change(propertyOf(schemaOf(document, `POST ${GUILD_COMMANDS}`), 'options'), { maxItems: 1 }),
  ],
  [
    'invalid_accepted PUT /lobbies secret pattern',
    'PUT /lobbies',
    (document) => change(propertyOf(schemaOf(document, 'PUT /lobbies'), 'secret'), { pattern: '^[a-z]+$' }),
  ],
  [
    `invalid_accepted PATCH ${LOBBY} played_on type`,
    `PATCH ${LOBBY}`,
    (document) =>
      change(schemaOf(document, `PATCH ${LOBBY}`)['properties'] ?? {}, {
        played_on: { type: 'string', format: 'date' },
      }),
  ],
  [
    'invalid_accepted PUT /lobbies lobby_metadata.drift bound',
    'PUT /lobbies',
    (document) =>
      change(schemaOf(document, 'PUT /lobbies')['properties'] ?? {}, {
        lobby_metadata: { type: ['object', 'null'], additionalProperties: { type: 'string', maxLength: 20 } },
      }),
  ],
  [
    'invalid_accepted PUT /lobbies lobby_metadata bound',
    'PUT /lobbies',
    (document) =>
      change(schemaOf(document, 'PUT /lobbies')['properties'] ?? {}, {
        lobby_metadata: {
          type: ['object', 'null'],
          maxProperties: 3,
          additionalProperties: { type: 'string' },
        },
      }),
  ],
  [
    `response_invalid GET ${LOBBY} 200 header x-region`,
    `GET ${LOBBY}`,
    (document) =>
      change(operationOf(document, `GET ${LOBBY}`)['responses']?.['200'] ?? {}, {
        headers: { 'X-Region': { required: true, schema: { type: 'string' } } },
      }),
  ],
  [
    `response_invalid GET ${LOBBY} 200 header content-length`,
    `GET ${LOBBY}`,
    (document) =>
      change(operationOf(document, `GET ${LOBBY}`)['responses']?.['200'] ?? {}, {
        headers: { 'Content-Length': { schema: { type: 'integer', maximum: 2 } } },
      }),
  ],
  [
    'invalid_accepted GET /users/@me security bot',
    'GET /users/@me',
    (document) => change(operationOf(document, 'GET /users/@me'), { security: [{ PlayerToken: [] }] }),
  ],
  [
    'valid_refused GET /applications/{application_id}/skus security player',
    'GET /applications/{application_id}/skus',
    (document) =>
      change(operationOf(document, 'GET /applications/{application_id}/skus'), {
        security: [{ BotToken: [] }, { PlayerToken: [] }],
      }),
  ],
]

interface Exchange {
  /** `GET /users/@me`, with ids as `0`. */
  route: string
  sent: string
  status: number
  body: Fields
}

/** Differences of the service, each with what must be found: a new status and body for some responses. */
const IN_RESPONSES: readonly [
  finding: string,
  plant: (exchange: Exchange) => [status: number, body?: unknown] | undefined,
][] = [
  [
    'response_invalid GET /users/@me 200 id',
    ({ route, status, body }) =>
      route === 'GET /users/@me' && status === 200 ? [200, { ...body, id: 7 }] : undefined,
  ],
  [
    `status_not_declared DELETE ${LOBBY} 202`,
    ({ route, status }) => (route === 'DELETE /lobbies/0' && status < 300 ? [202] : undefined),
  ],
  [
    'operation_not_served GET /guilds/{guild_id}/channels',
    ({ route }) =>
      route === 'GET /guilds/0/channels' ? [404, { code: 0, message: '404: Not Found' }] : undefined,
  ],
  [
    `response_invalid PATCH ${LOBBY}/channel-linking 200 flags`,
    ({ route, status, body }) =>
      route === 'PATCH /lobbies/0/channel-linking' && status === 200
        ? [200, { ...body, flags: '1' }]
        : undefined,
  ],
  [
    'valid_refused POST /partner-sdk/token/bot preferred_global_name',
    ({ route, sent }) =>
      route === 'POST /partner-sdk/token/bot' && sent.includes('preferred')
        ? [400, { code: 50_035, message: 'no' }]
        : undefined,
  ],
  [
    `invalid_accepted PUT ${PERMISSIONS} permissions[0].type enum`,
    ({ route, sent }) =>
      route.startsWith('PUT') && route.endsWith('/commands/0/permissions') && sent.includes('987654')
        ? [200, { id: '1', application_id: '1', guild_id: '1', permissions: [] }]
        : undefined,
  ],
  [
    `response_invalid POST ${GUILD_COMMANDS} 400`,
    ({ route, status }) =>
      route === 'POST /applications/0/guilds/0/commands' && status === 400
        ? [400, { code: 50_035 }]
        : undefined,
  ],
  [
    `response_invalid POST ${LOBBY}/members/@me/invites 200 code`,
    ({ route, status }) =>
      route.endsWith('@me/invites') && status === 200 ? [200, { code: '' }] : undefined,
  ],
]

const UNCHANGED = [
  'GET /oauth2/keys',
  'GET /oauth2/@me',
  `PUT ${LOBBY}/messages/{message_id}/moderation-metadata`,
]

/** The operations of the planted differences and a few others, so that the test takes a moment only. */
function withOnly(document: Fields, operations: readonly string[]): Fields {
  for (const [path, item] of Object.entries(document['paths'] ?? {}))
    for (const method of Object.keys(item))
      if (!operations.includes(`${method.toUpperCase()} ${path}`)) delete item[method]
  return document
}

const operationIn = (finding: string) => finding.split(' ').slice(1, 3).join(' ')

/** The service with all differences in its responses. */
async function sendToOther(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const { pathname } = new URL(url)
  const text = await response.text()
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Fields
  const route = `${init.method} ${pathname.replace('/api/v10', '').replaceAll(/\d+/g, '0')}`
  for (const [, plant] of IN_RESPONSES) {
    const planted = plant({
      route,
      sent: typeof init.body === 'string' ? init.body : '',
      status: response.status,
      body,
    })
    if (planted !== undefined)
      return new Response(planted[1] === undefined ? null : JSON.stringify(planted[1]), {
        status: planted[0],
      })
  }
  return new Response(text === '' ? null : text, response)
}

describe('a comparison', { timeout: 300_000 }, () => {
  it('of the emulator with docs/interface finds nothing', async () => {
    const report = await findDrift({ openapi: FILE })
    expect(printDrift({ ...report, unreached: [], unjudged: [] })).toMatch(
      /^\d+ operations, \d+ requests: 0 differences, 0 accepted\.\n$/,
    )
    expect(report.requests).toBeGreaterThan(500)
  })

  it('finds each of twenty planted differences, and nothing else', async () => {
    const planted = [...IN_DESCRIPTION, ...IN_RESPONSES].map(([finding]) => finding)
    const openapi = withOnly(read(), [...planted.map(operationIn), ...UNCHANGED])
    for (const [, plant] of IN_DESCRIPTION) plant(openapi)
    const decisions = { 'response_invalid POST * 400': 'a decision', 'valid_refused * flags': 'another one' }
    const report = await findDrift({ openapi, send: sendToOther, decisions })
    expect(planted).toHaveLength(20)
    expect(found(report)).toEqual(planted.toSorted())
    expect(report.drifts.flatMap(({ accepted }) => accepted ?? []).toSorted()).toEqual([
      'a decision',
      'another one',
    ])
    expect(printDrift(report)).toContain('18 differences, 2 accepted.')
    expect(printDrift(report)).toMatch(
      /idle_timeout_seconds \(700000\) is valid, and is refused with 400 \(stated by the interface; rule: /,
    )
  })

  it.each(ALONE)('finds %s, and nothing else', async (finding, operation, plant) => {
    const openapi = withOnly(read(), [operation])
    plant(openapi)
    const report = await findDrift({ openapi })
    expect(found(report)).toEqual([finding])
    expect(report.unreached).toEqual([])
  })

  it('says which invalid requests were refused for another reason', async () => {
    const openapi = withOnly(read(), ['POST /partner-sdk/child-token'])
    const { unjudged } = await findDrift({ openapi })
    expect(unjudged).toEqual([
      {
        operation: 'POST /partner-sdk/child-token',
        at: 'child_application_id bound: no snowflake',
        reason: 'refused with 404',
      },
    ])
  })

  it('of a looser document names each cause once, and compares what is behind it', async () => {
    const message = `POST ${LOBBY}/messages`
    const openapi = withOnly(read(), [message, 'GET /users/@me/guilds', `GET ${LOBBY}/messages`])
    const body = schemaOf(openapi, message)
    // A field that the emulator does not know.
    const topic = {
      type: 'object',
      properties: { question: { type: 'string', maxLength: 9 }, answers: { type: 'array', maxItems: 3 } },
    }
    change(body, { required: [], properties: { ...body['properties'], topic } })
    const codes = { type: 'object', properties: { code: { type: 'integer' } } }
    const inner = {
      type: 'object',
      required: ['_errors'],
      properties: { _errors: { type: 'array', items: codes } },
    }
    const tree = { oneOf: [{ type: 'object', additionalProperties: inner }, inner] }
    change(propertyOf(openapi['components']?.['schemas']?.['Error'] ?? {}, 'code'), { enum: [] })
    change(openapi['components']?.['schemas']?.['Error']?.['properties'] ?? {}, { errors: tree })
    const report = await findDrift({ openapi })
    expect(found(report)).toEqual([
      'invalid_accepted POST /lobbies/{lobby_id}/messages topic type',
      'response_invalid GET /lobbies/{lobby_id}/messages 400 errors.limit._errors[0].code',
      'response_invalid POST /lobbies/{lobby_id}/messages 400 errors._errors[0].code',
      'response_invalid POST /lobbies/{lobby_id}/messages 400 errors.metadata',
      'valid_refused POST /lobbies/{lobby_id}/messages',
    ])
    expect(printDrift(report)).toContain('must be integer (the same in 2 more)')
  })

  it('sends texts that fit their format', async () => {
    const openapi = withOnly(read(), [`PATCH ${LOBBY}`, 'GET /applications/{application_id}/skus'])
    expect(found(await findDrift({ openapi }))).toEqual([])
    change(propertyOf(schemaOf(openapi, `PATCH ${LOBBY}`), 'override_event_webhooks_url'), {
      format: 'date-time',
    })
    expect(found(await findDrift({ openapi }))).toEqual([
      `valid_refused PATCH ${LOBBY} override_event_webhooks_url`,
    ])
  })

  it('of a document in the words of a brand, with references, replaces the brand', async () => {
    const text = JSON.stringify(withOnly(read(), ['POST /partner-sdk/token'])).replaceAll(
      'SERVICE_BOT',
      'ACME_BOT',
    )
    expect(found(await findDrift({ openapi: JSON.parse(text) as object, brand: 'acme' }))).toEqual([])
  })

  it('of a file that is no description is refused', async () => {
    await expect(findDrift({ openapi: 'package.json' })).rejects.toMatchObject({ code: 'bad_request' })
    await expect(findDrift({ openapi: 'nothing-here.json' })).rejects.toMatchObject({ code: 'bad_request' })
  })
})
