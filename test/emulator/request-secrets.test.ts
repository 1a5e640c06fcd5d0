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
  /** Default: `utf8`. */
  encoding?: 'utf8' | 'utf16le'
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

async function send({ target = '/nothing', headers = [], body = '', encoding }: Case): Promise<void> {
  const bytes = Buffer.from(body, encoding)
  const all: Headers = [...headers, ['content-length', String(bytes.length)]]
  await sendRaw(emulator.url, {
    method: body === '' ? 'GET' : 'POST',
    target,
    headers: [...all, ['origin', emulator.url]],
    body: bytes,
  })
}

/** Every way in which the value could be written. */
function leaks(details: string, value: string): boolean {
  return [value, encodeURIComponent(value), encoded, escaped].some(
    (written) => details.includes(written) || details.includes(JSON.stringify(written).slice(1, -1)),
  )
}

/** Names of secrets that are on no list of the service. */
const BY_OTHER_NAMES = [
  'x-auth',
  'x_auth',
  'pass',
  'userPass',
  'mfa_code',
  'totp',
  'otpCode',
  'pin_code',
  'recovery-code',
  'api-key',
  'accessKey',
  'signing_key',
  'hmac',
  'bearer',
  'credential',
  'pwd2',
  'secretValue',
  'X-Amz-Security-Token',
  'cookie2',
  'auth_data',
  'captcha-response',
]

/** Formats that the service knows nothing of. */
const IN_OTHER_FORMATS: [type: string, body: string][] = [
  ['application/yaml', `user: ada\ntoken: ${SECRET}\n`],
  ['text/yaml', `# a comment\n- token: >\n    ${SECRET}\n`],
  ['text/x-yaml', `{token: ${SECRET}}`],
  ['application/toml', `[auth]\ntoken = "${SECRET}"\n`],
  ['text/plain', `[auth]\ntoken = ${SECRET}\n; the end`],
  ['text/plain', `the password is ${SECRET}`],
  ['text/csv', `user,token\nada,${SECRET}\n`],
  ['application/xml', `<a token='${SECRET}'/>`],
  ['application/xml', `<token><!-- of ada -->${SECRET}</token>`],
  ['application/xml', `<token><![CDATA[${SECRET}]]></token>`],
  ['text/xml', `<a><b name="token"/><c>${SECRET}</c></a>`],
  ['application/soap+xml', `<s:token xmlns:s="x">${SECRET}</s:token>`],
  ['application/graphql', `mutation { signIn(token: "${SECRET}") { id } }`],
  ['text/javascript', `const token = \`${SECRET}\``],
  ['application/x-ndjson', `{"a":1}\n// a comment\n{"b":"token: ${SECRET}"}`],
  ['application/vnd.api+yaml', `pass: ${SECRET}`],
  ['text/html', `<p>token: ${SECRET}</p>`],
]

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
  ...BY_OTHER_NAMES.flatMap((name): [string, Case][] => [
    [`the field ${name} of JSON`, json(JSON.stringify({ [name]: SECRET }))],
    [`the field ${name} of a form`, formBody(`a=1&${name}=${SECRET}`)],
    [`the field ${name} of a query`, query(`a=1&${name}=${SECRET}`)],
    [`the header ${name}`, { headers: [[name.replaceAll(/[^\w-]/g, '-'), SECRET]] }],
  ]),
  ...IN_OTHER_FORMATS.map(([type, body]): [string, Case] => [
    `${type}: ${body.slice(0, 30)}`,
    text(body, type),
  ]),
  ...IN_OTHER_FORMATS.map(([, body]): [string, Case] => [`no type: ${body.slice(0, 30)}`, { body }]),
  ['JSON in UTF-16', { ...json(JSON.stringify({ token: SECRET })), encoding: 'utf16le' }],
  [
    'JSON in UTF-16 with its charset',
    {
      ...text(`\uFEFF${JSON.stringify({ token: SECRET })}`, 'application/json; charset=utf-16'),
      encoding: 'utf16le',
    },
  ],
  ['a text in UTF-16', { ...text(`token: ${SECRET}`), encoding: 'utf16le' }],
  ['JSON with a mark of order before it', json(`\uFEFF${JSON.stringify({ token: SECRET })}`)],
  ['JSON with a comment before a name', json(`{ /* of the player */ "token": "${SECRET}" }`)],
  ['JSON with a comment of a line before a name', json(`{ // of the player\n "token": "${SECRET}" }`)],
  ['JSON with a comment before a value', json(`{ "token": /* "x" */ "${SECRET}" }`)],
  ['JSON whose names have no quotes', json(`{ token: "${SECRET}" }`)],
  ['JSON in single quotes', json(`{ 'token': '${SECRET}' }`)],
  ['JSON with a comma too many', json(`{ "a": 1,, "token": "${SECRET}" }`)],
  ['JSON with two values', json(`{ "a": 1 } { "token": "${SECRET}" }`)],
  ['JSON that is a text', json(JSON.stringify(`token: ${SECRET}`))],
  ['JSON that is no JSON', json(`token: ${SECRET}`)],
  ['an element in JSON', json(JSON.stringify({ a: `<token>${SECRET}</token>` }))],
  ['a form that is only a value', formBody(SECRET)],
  [
    'another parameter of a part',
    multipart(`content-disposition: form-data; name="a"; x="${SECRET}"\r\n\r\nx`),
  ],
  [
    'the name of a file',
    multipart(`content-disposition: form-data; name="files[0]"; filename="${SECRET}.txt"\r\n\r\nx`),
  ],
  [
    'the encoded name of a file',
    multipart(`content-disposition: form-data; name="files[0]"; filename*=UTF-8''${encoded}\r\n\r\nx`),
  ],
  ['the name of a file in JSON', json(JSON.stringify({ attachments: [{ id: 0, filename: SECRET }] }))],
  ['a header of a part', multipart(`content-disposition: form-data; name="a"\r\nx-auth: ${SECRET}\r\n\r\nx`)],
  [
    'the text before a multipart form',
    text(`${SECRET}\r\n--${BOUNDARY}--`, `multipart/form-data; boundary=${BOUNDARY}`),
  ],
  [
    'the text after a multipart form',
    text(`--${BOUNDARY}--\r\n${SECRET}`, `multipart/form-data; boundary=${BOUNDARY}`),
  ],
  ['a form in a part', multipart(`content-disposition: form-data; name="data"\r\n\r\na=1&token=${SECRET}`)],
  [
    'a pair that is encoded twice',
    query(`data=${encodeURIComponent(encodeURIComponent(`token=${SECRET}`))}`),
  ],
  [
    'an address that is encoded three times',
    query(
      `data=${[1, 2, 3].reduce((inner) => encodeURIComponent(inner), `https://a.example/?token=${SECRET}`)}`,
    ),
  ],
  [
    'JSON that is encoded twice',
    formBody(`data=${encodeURIComponent(encodeURIComponent(JSON.stringify({ token: SECRET })))}`),
  ],
  ['YAML in a query', query(`data=${encodeURIComponent(`token: ${SECRET}`)}`)],
  ['YAML in JSON', json(JSON.stringify({ config: `user: ada\ntoken: ${SECRET}` }))],
  ['credentials in an address', query(`next=${encodeURIComponent(`https://ada:${SECRET}@a.example/`)}`)],
  ['credentials in an address of a header', { headers: [['referer', `http://ada:${SECRET}@localhost/`]] }],
  [
    'a name in Base64',
    {
      headers: [
        ['x-data', Buffer.from(`ada:${SECRET}`).toString('base64')],
        ['x-same', SECRET],
      ],
    },
  ],
  ['a form whose pairs are divided by semicolons', formBody(`a=1;token=${SECRET}`)],
  ['a form with a line between pairs', formBody(`a=1\ntoken: ${SECRET}`)],
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
