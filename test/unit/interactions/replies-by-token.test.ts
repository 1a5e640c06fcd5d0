/** Responses that a backend sends by calls, with the token of the interaction: requests and malformed responses. */
import {
  type Addressed,
  ApplicationClient,
  botToken,
  type Fetch,
  type InteractionReplies,
} from 'foyer-sdk/server'
import { beforeEach, describe, expect, it } from 'vitest'
import { codeOf } from '../../support/settle'
import { ORIGINAL } from './expected-responses'
import { APPLICATION, invocation, TOKEN } from './signed-sender'

const INTERACTION = invocation({}) as unknown as Addressed
const CALLBACK = `/api/v10/interactions/${INTERACTION.id}/${TOKEN}/callback`
const FOLLOW_UP = `/api/v10/webhooks/${APPLICATION}/${TOKEN}`
let sent: { method: string; path: string; body: unknown; type: string | null }[]
let response: () => Response

beforeEach(() => {
  sent = []
  response = () => Response.json({ id: '1', content: 'here' })
})

const fetch: Fetch = async (url, { method = 'GET', body, headers }) => {
  const { pathname, search } = new URL(url)
  sent.push({
    method,
    path: pathname + search,
    body: typeof body === 'string' ? JSON.parse(body) : body,
    type: new Headers(headers).get('content-type'),
  })
  return response()
}

const open = (options: { fetch: Fetch } = { fetch }) =>
  new ApplicationClient({
    applicationId: APPLICATION,
    credentials: botToken('x'),
    service: { host: 'https://service.example' },
    ...options,
  })
const replies = (): InteractionReplies => open().interactions

describe('a response by a call', () => {
  it('is cancelled when the client is closed, and refused afterwards', async () => {
    const client = open({ fetch: () => new Promise(() => undefined) })
    const pending = codeOf(() => client.interactions.reply(INTERACTION, 'hello'))
    client.close()
    expect(await pending).toBe('aborted')
    expect(await codeOf(() => client.interactions.reply(INTERACTION, 'hello'))).toBe('closed')
  })

  it.each<[string, (calls: InteractionReplies) => Promise<unknown>, string, unknown]>([
    [
      'a message',
      (calls) => calls.reply(INTERACTION, 'hello'),
      `POST ${CALLBACK}`,
      { type: 4, data: { content: 'hello' } },
    ],
    ['a deferral', (calls) => calls.defer(INTERACTION), `POST ${CALLBACK}`, { type: 5 }],
    [
      'a deferral that only the player sees',
      (calls) => calls.defer(INTERACTION, { ephemeral: true }),
      `POST ${CALLBACK}`,
      { type: 5, data: { flags: 64 } },
    ],
    [
      'a further message',
      (calls) => calls.followUp(INTERACTION, 'more'),
      `POST ${FOLLOW_UP}`,
      { content: 'more' },
    ],
    [
      'an edit',
      (calls) => calls.editReply(INTERACTION, 'goodbye'),
      `PATCH ${ORIGINAL}`,
      { content: 'goodbye' },
    ],
    ['a deletion', (calls) => calls.deleteReply(INTERACTION), `DELETE ${ORIGINAL}`, null],
  ])('is sent: %s', async (...[, respond, request, body]) => {
    await respond(replies())
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([request])
    expect(sent[0]?.body).toEqual(body)
    expect(sent[0]?.type, 'the type goes with a body only').toBe(body === null ? null : 'application/json')
  })

  it.each<[string, string, (calls: InteractionReplies) => Promise<unknown>]>([
    ['a further message', 'malformed_response', (calls) => calls.followUp(INTERACTION, 'more')],
    ['an edit', 'malformed_response', (calls) => calls.editReply(INTERACTION, 'goodbye')],
    ['a launch', 'instance_unknown', (calls) => calls.launchActivity(INTERACTION)],
  ])('without a result in the response of the service is an error: %s, %s', async (_, code, respond) => {
    response = () => Response.json({})
    expect(await codeOf(() => respond(replies()))).toBe(code)
  })
})
