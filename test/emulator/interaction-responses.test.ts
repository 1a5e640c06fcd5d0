/** Responses of a backend: messages, deferrals, follow-ups, and rejections. */
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Reply } from './support/backend'
import { general, greet, hello, tavern, useInteractions } from './support/use-interactions'

const harness = useInteractions()

const multipart = (body: string): Reply => ({
  status: 200,
  contentType: 'multipart/form-data; boundary=b',
  body,
})
const part = '--b\r\ncontent-disposition: form-data; name="payload_json"\r\n\r\n'

describe('a response to an interaction', () => {
  it('that takes more than 3 seconds fails, and its token is invalid', async () => {
    const deadline = new AbortController()
    const { received } = await harness.connect(() => {
      deadline.abort(new DOMException('', 'TimeoutError'))
      return 'silence'
    })
    await harness.register(greet, tavern)
    const begin = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal)
    onTestFinished(() => begin.mockRestore())
    expect(await harness.emulator.interactions.use({ as: 'ada', command: 'greet' })).toEqual({
      kind: 'failed',
      because: 'no answer within 3 seconds',
    })
    expect(begin.mock.calls).toEqual([[3000]])
    const { id, token } = received.at(-1) ?? { id: '', token: '' }
    const late = await harness.api('POST', `/interactions/${id}/${token}/callback`, { body: hello })
    expect([late.status, ((await late.json()) as { code: number }).code]).toEqual([404, 10062])
  })

  it.each<[string, Reply, RegExp]>([
    ['an empty message', { type: 4, data: { content: '' } }, /must hold something/],
    ['a flag that is not allowed', { type: 4, data: { content: 'x', flags: 128 } }, /flags/],
    ['suggestions', { type: 8, data: { choices: [] } }, /type 8 does not answer/],
    [
      'an update of a message',
      { type: 7, data: { content: 'x' } },
      /components, and forms that a component opened/,
    ],
    ['PONG', { type: 1 }, /PING only/],
    ['status 500', { status: 500 }, /500 instead of 200/],
    ['no JSON', { status: 200, body: 'yes' }, /no JSON/],
    [
      'a multipart body without its end',
      multipart('--b\r\ncontent-disposition: form-data; name="payload_json"\r\n\r\n{}'),
      /no valid multipart/,
    ],
    ['a multipart body of another boundary', multipart('--c--\r\n'), /no valid multipart/],
    ['a multipart body whose JSON is none', multipart(`${part}{"type":\r\n--b--\r\n`), /no JSON/],
  ])('is rejected if it is %s', async (_words, reply, because) => {
    await harness.connect(() => reply)
    await harness.register(greet, tavern)
    const outcome = await harness.emulator.interactions.use({ as: 'ada', command: 'greet' })
    expect(outcome).toMatchObject({ kind: 'failed', because: expect.stringMatching(because) as string })
    expect(harness.emulator.interactions.messages({ as: 'ada', channel: general })).toEqual([])
    expect(harness.emulator.interactions.list().at(-1)?.refused).toMatch(because)
  })

  it('that is ephemeral is visible to the player only', async () => {
    await harness.connect(() => ({ type: 4, data: { content: 'psst', flags: 64 } }))
    await harness.register(greet, tavern)
    await harness.emulator.interactions.use({ as: 'ada', channel: general, command: 'greet' })
    const seenBy = (as: string) =>
      harness.emulator.interactions.messages({ as, channel: general }).map(({ content }) => content)
    expect([seenBy('ada'), seenBy('bruno')]).toEqual([['psst'], []])
  })

  it('may be deferred, then sent, followed up, edited and deleted for 15 minutes', async () => {
    const { received } = await harness.connect(() => ({ type: 5 }))
    await harness.register(greet, tavern)
    expect(
      await harness.emulator.interactions.use({ as: 'ada', channel: general, command: 'greet' }),
    ).toMatchObject({ kind: 'deferred' })
    const token = received.at(-1)?.token ?? ''
    const path = `/webhooks/${harness.emulator.application.id}/${token}`
    const texts = () =>
      harness.emulator.interactions
        .messages({ as: 'bruno', channel: general })
        .map(({ content, flags }) => [content, flags])
    expect(texts()).toEqual([['', 128]])
    expect(
      (await harness.api('PATCH', `${path}/messages/@original`, { body: { content: 'done' } })).status,
    ).toBe(200)
    const more = (await (await harness.api('POST', path, { body: { content: 'and more' } })).json()) as {
      id: string
    }
    expect(texts()).toEqual([
      ['done', 0],
      ['and more', 0],
    ])
    expect(
      (await harness.api('PATCH', `${path}/messages/${more.id}`, { body: { content: 'and less' } })).status,
    ).toBe(200)
    expect((await harness.api('DELETE', `${path}/messages/@original`)).status).toBe(204)
    expect(texts()).toEqual([['and less', 0]])
    expect((await harness.api('GET', `${path}/messages/@original`)).status).toBe(404)
    harness.emulator.advance(15 * 60_000)
    expect((await harness.api('POST', path, { body: { content: 'too late' } })).status).toBe(404)
  })

  it.each([
    [64, 0],
    [0, 64],
  ])(
    'with a deferral of flags %i is filled by the first follow-up, whose flags %i do not change who sees it',
    async (deferred, flags) => {
      const { received } = await harness.connect(() => ({ type: 5, data: { flags: deferred } }))
      await harness.register(greet, tavern)
      const { message } = await harness.emulator.interactions.use({
        as: 'ada',
        channel: general,
        command: 'greet',
      })
      const path = `/webhooks/${harness.emulator.application.id}/${received.at(-1)?.token}`
      const send = async (content: string) =>
        (await (await harness.api('POST', path, { body: { content, flags } })).json()) as {
          id: string
          flags: number
        }
      const [first, second] = [await send('first'), await send('second')]
      expect([first.id, first.flags, second.flags]).toEqual([message?.id, deferred, flags])
      expect(second.id).not.toBe(first.id)
      const seenBy = (as: string) =>
        harness.emulator.interactions.messages({ as, channel: general }).map(({ content }) => content)
      expect(seenBy('ada')).toEqual(['first', 'second'])
      expect(seenBy('bruno')).toEqual([deferred === 0 ? 'first' : 'second'])
    },
  )

  it('by an API call is equivalent to an HTTP response, is accepted once, and 202 waits for it', async () => {
    const calls: unknown[] = []
    await harness.connect(async ({ id, token }) => {
      for (let call = 0; call < 2; call += 1) {
        const response = await harness.api(
          'POST',
          `/interactions/${id}/${token}/callback?with_response=true`,
          { body: hello },
        )
        calls.push({ status: response.status, ...((await response.json()) as object) })
      }
      return { status: 202 }
    })
    await harness.register(greet, tavern)
    expect(await harness.emulator.interactions.use({ as: 'ada', command: 'greet' })).toMatchObject({
      kind: 'message',
    })
    await expect
      .poll(() => calls)
      .toMatchObject([
        { status: 200, interaction: { type: 2 }, resource: { type: 4, message: { content: 'hello' } } },
        { status: 400, code: 40060 },
      ])
  })

  it('leaves no token in the delivery log and the request log', async () => {
    const { received } = await harness.connect(async ({ id, token }) => {
      await harness.api('POST', `/interactions/${id}/${token}/callback`, { body: hello })
      return { status: 202 }
    })
    await harness.register(greet, tavern)
    await harness.emulator.interactions.use({ as: 'ada', command: 'greet' })
    const token = received.at(-1)?.token ?? ''
    await harness.api('POST', `/webhooks/${harness.emulator.application.id}/${token}`, {
      body: { content: 'x' },
    })
    await expect
      .poll(() => harness.emulator.requests.some(({ path }) => path.startsWith('/api/v10/webhooks/')))
      .toBe(true)
    expect(JSON.stringify([harness.emulator.interactions.list(), harness.emulator.requests])).not.toContain(
      token,
    )
  })
})
