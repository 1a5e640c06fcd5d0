/** Secrets in what the request log keeps: none is shown until it is revealed, however a request or a response writes it. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sendRaw } from './support/send-raw.js'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterEach(() => emulator.reset())
afterAll(() => emulator.close())

const SECRET = 'kQ7~zXw2.Vt9_Lm4-Rb8'
const JWT = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI0MiIsIm5vdGUiOiJ4In0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg'
const BOUNDARY = 'xYzzY'
const encoded = Array.from(SECRET, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
const escaped = Array.from(
  SECRET,
  (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
).join('')

type Headers = [name: string, value: string][]
interface Case {
  target?: string
  headers?: Headers
  body?: string
}

const formBody = (body: string): Case => ({
  headers: [['content-type', 'application/x-www-form-urlencoded']],
  body,
})
const json = (body: string): Case => ({ headers: [['content-type', 'application/json']], body })
const multipart = (...parts: string[]): Case => ({
  headers: [['content-type', `multipart/form-data; boundary=${BOUNDARY}`]],
  body: [...parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`), `--${BOUNDARY}--\r\n`].join(''),
})
const text = (body: string, type = 'text/plain'): Case => ({ headers: [['content-type', type]], body })
const query = (target: string): Case => ({ target: `/nothing?${target}` })

async function read(serial: number, { reveal = false } = {}): Promise<string> {
  const headers = { authorization: `Bearer ${emulator.controlToken}` }
  return (
    await fetch(`${emulator.url}/_emulator/requests/${serial}${reveal ? '?reveal=true' : ''}`, { headers })
  ).text()
}

const last = (): number => emulator.requests.at(-1)?.serial ?? 0

async function send({ target = '/nothing', headers = [], body = '' }: Case): Promise<void> {
  const all: Headers = [...headers, ['content-length', String(Buffer.byteLength(body))]]
  await sendRaw(emulator.url, {
    method: body === '' ? 'GET' : 'POST',
    target,
    headers: [...all, ['origin', emulator.url]],
    body: Buffer.from(body),
  })
}

/** Every way in which the value could be written. */
function leaks(details: string, value: string): boolean {
  return [value, encodeURIComponent(value), encoded, escaped].some(
    (written) => details.includes(written) || details.includes(JSON.stringify(written).slice(1, -1)),
  )
}

const CASES: [title: string, sent: Case][] = [
  ['an access token', { headers: [['authorization', `Bearer ${SECRET}`]] }],
  ['credentials without a scheme', { headers: [['Authorization', SECRET]] }],
  [
    'a header twice',
    {
      headers: [
        ['authorization', 'Bearer other'],
        ['AUTHORIZATION', `bearer ${SECRET}`],
      ],
    },
  ],
  ['a cookie among others', { headers: [['cookie', `theme=dark; emu_session=${SECRET}; last=1`]] }],
  ['a cookie without a name', { headers: [['cookie', `=${SECRET}`]] }],
  ['a signature', { headers: [['X-Signature-Ed25519', SECRET]] }],
  ['a token of forms', { headers: [['x-csrf-token', SECRET]] }],
  ['the address of the page before', { headers: [['referer', `http://localhost/cb?code=${SECRET}&x=1`]] }],
  ['a fragment in a header', { headers: [['x-address', `http://localhost/cb#access_token=${SECRET}`]] }],
  ['a code in the query', query(`x=1&code=${SECRET}`)],
  ['an encoded value', query(`code=${encoded}`)],
  ['an encoded name', query(`c%6fde=${SECRET}`)],
  ['a name that is encoded twice', query(`c%256Fde=${SECRET}`)],
  ['a name in other letters', query(`Code_Verifier=${SECRET}`)],
  ['a name beside a stray percent sign', query(`%=1&code=${SECRET}`)],
  ['a value beside a stray percent sign', query(`code=${SECRET}%`)],
  ['a list of the query', query(`code[]=${SECRET}&state[0]=${SECRET}`)],
  ['a nested name', query(`user[access_token]=${SECRET}`)],
  ['a parameter twice', query(`code=short&code=${SECRET}`)],
  ['an address in the query', query(`next=${encodeURIComponent(`https://game.example/cb?code=${SECRET}`)}`)],
  [
    'an address in an address',
    query(
      `next=${encodeURIComponent(`https://a.example/?to=${encodeURIComponent(`https://b.example/?code=${SECRET}`)}`)}`,
    ),
  ],
  ['JSON in the query', query(`data=${encodeURIComponent(JSON.stringify({ token: SECRET }))}`)],
  ['a question mark twice', query(`x=1?code=${SECRET}`)],
  ['a form', formBody(`grant_type=authorization_code&code_verifier=${SECRET}`)],
  ['a form with an encoded name', formBody(`client%5Fsecret=${SECRET}`)],
  ['a form with spaces', formBody(`x=a b&client_secret=${SECRET}`)],
  ['a form that begins like JSON', formBody(`{=1&client_secret=${SECRET}`)],
  ['a form without its type', { body: `grant_type=x&refresh_token=${SECRET}` }],
  ['JSON as a form', formBody(JSON.stringify({ client_secret: SECRET }))],
  ['JSON', json(JSON.stringify({ grant: 'x', refresh_token: SECRET }))],
  ['JSON with escapes', json(`{"co\\u0064e": "${escaped}"}`)],
  ['JSON with spaces', json(`{ "secret"\n :\t"${SECRET}" }`)],
  ['a list in JSON', json(JSON.stringify({ tokens: ['short', SECRET] }))],
  ['an object in JSON', json(JSON.stringify({ token: { kind: 'x', value: { text: SECRET } } }))],
  [
    'JSON in JSON',
    json(JSON.stringify({ payload: JSON.stringify({ inner: JSON.stringify({ access_token: SECRET }) }) })),
  ],
  ['an address in JSON', json(JSON.stringify({ redirect: `https://game.example/cb?state=${SECRET}` }))],
  ['a name twice in JSON', json(`{"code":"${SECRET}","code":"short"}`)],
  ['JSON that ends too early', json(`{"list":[{"client_secret":"${SECRET}`)],
  ['JSON behind a prefix', text(`)]}'\n{"access_token":"${SECRET}"}`)],
  ['a callback with JSON', text(`got({"access_token": "${SECRET}"})`, 'text/javascript')],
  ['lines of JSON', text(`{"a":1}\n{"ticket":"${SECRET}"}`, 'application/x-ndjson')],
  ['a deep JSON', json(`${'{"a":'.repeat(500)}{"secret":"${SECRET}"}`)],
  ['texts in texts without end', json(wrapped(12))],
  [
    'a part of a multipart form',
    multipart(`content-disposition: form-data; name="client_secret"\r\n\r\n${SECRET}`),
  ],
  [
    'a part whose name has no quotes',
    multipart(`Content-Disposition: form-data; name=code\r\n\r\n${SECRET}`),
  ],
  [
    'a part with an encoded name',
    multipart(`content-disposition: form-data; name*=UTF-8''c%6Fde\r\n\r\n${SECRET}`),
  ],
  ['a part without a name', multipart(`content-disposition: form-data\r\n\r\n${SECRET}`)],
  [
    'JSON in a part',
    multipart(
      `content-disposition: form-data; name="payload_json"\r\n\r\n${JSON.stringify({ token: SECRET })}`,
    ),
  ],
  [
    'a multipart form with another boundary',
    text(
      `--other\r\ncontent-disposition: form-data; name="code"\r\n\r\n${SECRET}\r\n--other--`,
      `multipart/form-data; boundary=${BOUNDARY}`,
    ),
  ],
  [
    'a multipart form without a boundary',
    text(`--other\r\ncontent-disposition: form-data; name="code"\r\n\r\n${SECRET}`, 'multipart/form-data'),
  ],
  ['XML', text(`<a><client_secret>${SECRET}</client_secret></a>`, 'application/xml')],
  ['a hidden field', text(`<input value="${SECRET}" type=hidden name="state">`, 'text/html')],
  ['a script of a page', text(`<p>it's</p><script>start({ "token": "${SECRET}" })</script>`, 'text/html')],
  ['a link', text(`<a href="/cb?x=1&amp;code=${SECRET}">back</a>`, 'text/html')],
  ['the same value under another name', { ...query(`code=${SECRET}`), ...text(`the value ${SECRET} again`) }],
  ['a session of the sign-in page', { target: `/oauth2/authorize/${SECRET.replaceAll(/[~.]/g, '-')}` }],
]

/** Texts within texts, with a secret in the innermost. */
function wrapped(depth: number): string {
  let inner = JSON.stringify({ secret: SECRET })
  for (let level = 0; level < depth && inner.length < 8000; level++) inner = JSON.stringify({ a: inner })
  return inner
}

describe('a secret of a request', () => {
  it.each(CASES)('is masked until it is revealed: %s', async (_title, sent) => {
    await send(sent)
    const value = sent.target?.startsWith('/oauth2/authorize/')
      ? sent.target.slice('/oauth2/authorize/'.length)
      : SECRET
    expect(leaks(await read(last(), { reveal: true }), value)).toBe(true)
    expect(leaks(await read(last()), value)).toBe(false)
  })

  it.each<[string, Case]>([
    ['a query', query(`hint=${JWT}`)],
    ['a path', { target: `/nothing/${JWT}` }],
    ['a query with encoded dots', query(`hint=${JWT.replaceAll('.', '%2E')}`)],
    ['a body of any type', text(`see ${JWT}.`)],
    ['a header', { headers: [['x-note', JWT]] }],
  ])('is masked in %s if it is a JSON Web Token', async (_title, sent) => {
    await send(sent)
    const signature = JWT.split('.')[2] ?? ''
    expect(await read(last(), { reveal: true })).toContain(signature)
    expect(await read(last())).not.toContain(signature)
    expect(JSON.stringify(emulator.requests)).not.toContain(signature)
  })
})

describe('a secret of a response', () => {
  it.each<[string, { headers?: Record<string, string>; body: unknown; status?: number }]>([
    ['JSON', { body: { access_token: SECRET, token_type: 'Bearer' } }],
    ['JSON of a refusal', { status: 400, body: { error: 'x', refresh_token: SECRET } }],
    ['a code beside a message', { status: 400, body: { code: SECRET, message: 'x' } }],
    ['a page', { body: `<p data-x="1" data-token="${SECRET}">hello</p>` }],
    ['a cookie', { headers: { 'set-cookie': `sid=${SECRET}; Path=/; HttpOnly` }, body: '' }],
    [
      'a redirect',
      { status: 302, headers: { location: `http://localhost/cb?code=${SECRET}&state=x` }, body: '' },
    ],
  ])('is masked until it is revealed: %s', async (_title, effect) => {
    emulator.faults({ effect })
    await send({})
    expect(leaks(await read(last(), { reveal: true }), SECRET)).toBe(true)
    expect(leaks(await read(last()), SECRET)).toBe(false)
  })
})

describe('what is no secret', () => {
  it('is shown as it was sent: other fields, their order and spaces, and schemes and names of what is masked', async () => {
    await send({
      target: '/nothing?grant_type=x&token_type_hint=access_token&code=abc',
      headers: [
        ['Authorization', 'Bot some-token-of-a-bot'],
        ['Cookie', 'theme=dark'],
        ['content-type', 'application/json'],
      ],
      body: '{ "content":"it\\u0027s {fine}: a=b",\n "flags" : 64, "token_type":"Bearer", "big": 12345678901234567890 }',
    })
    const { request } = JSON.parse(await read(last()))
    expect(request.line).toBe(
      'POST /nothing?grant_type=x&token_type_hint=access_token&code=[secret] HTTP/1.1',
    )
    expect(request.headers).toEqual(
      expect.arrayContaining([
        ['Authorization', 'Bot [secret]'],
        ['Cookie', 'theme=[secret]'],
      ]),
    )
    expect(request.body.text).toBe(
      '{ "content":"it\\u0027s {fine}: a=b",\n "flags" : 64, "token_type":"Bearer", "big": 12345678901234567890 }',
    )
  })

  it('includes the codes of errors', async () => {
    await send({
      target: '/api/v10/users/1',
      headers: [['authorization', `Bot ${emulator.application.botToken}`]],
    })
    expect(JSON.parse(await read(last())).response.body.text).toContain('"code":10013')
    emulator.faults({
      effect: {
        status: 400,
        body: { code: 50035, errors: { name: { _errors: [{ code: 'BASE_TYPE_REQUIRED' }] } } },
      },
    })
    await send({})
    expect(JSON.parse(await read(last())).response.body.text).toBe(
      '{"code":50035,"errors":{"name":{"_errors":[{"code":"BASE_TYPE_REQUIRED"}]}}}',
    )
  })
})
