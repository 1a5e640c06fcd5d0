/** Bot tokens and client secrets are rejected in a page, and accepted in every other runtime. */
import { ApplicationClient, botToken, clientCredentials, UserClient, validateCommand } from 'foyer-sdk/server'
import { afterEach, describe, expect, it, vi } from 'vitest'

const ID = '1287654321098765433'
const TOKEN = 'a-token-that-must-not-be-shown'
const service = { host: 'https://service.test' }
const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36'

interface Runtime {
  document?: object | undefined
  navigator?: object | undefined
  process?: object | undefined
}

const outcome = (act: () => unknown): unknown => {
  try {
    return act() ? 'made' : 'nothing'
  } catch (error) {
    return error
  }
}

/** Everything that this entry can create, in a runtime with these globals. */
function make({ document, navigator, process }: Runtime): unknown[] {
  const credentials = botToken(TOKEN)
  vi.stubGlobal('document', document)
  vi.stubGlobal('navigator', navigator)
  vi.stubGlobal('process', process)
  return [
    outcome(() => botToken(TOKEN)),
    outcome(() => clientCredentials({ clientId: ID, clientSecret: TOKEN })),
    outcome(() => new ApplicationClient({ applicationId: ID, service, credentials })),
    outcome(() => new UserClient({ applicationId: ID, service, accessToken: TOKEN })),
  ]
}

afterEach(() => vi.unstubAllGlobals())

describe('attack/159 a bot token or client secret', () => {
  it.each<[string, Runtime]>([
    ['a page', { document: {}, navigator: { userAgent: CHROME } }],
    [
      'a page with a process object of its bundler',
      { document: {}, navigator: { userAgent: CHROME }, process: { versions: {}, browser: true } },
    ],
    ['a worker of a page', { navigator: { userAgent: CHROME } }],
    [
      'a window of Electron with Node integration',
      { document: {}, process: { type: 'renderer', versions: { node: '20.20.0' } } },
    ],
  ])('is rejected in %s, in one sentence and without the token', (_, runtime) => {
    for (const error of make(runtime)) {
      expect(error).toMatchObject({
        name: 'ConfigurationError',
        code: 'unsupported',
        help: 'docs/errors.md#unsupported',
      })
      expect(String(error)).toContain('call this from your backend')
      expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(TOKEN)
    }
  })

  it.each<[string, Runtime]>([
    ['Node', { navigator: { userAgent: 'Node.js/22' }, process: { versions: { node: '22.0.0' } } }],
    [
      'Node with a simulated page, as in tests',
      { document: {}, navigator: { userAgent: CHROME }, process: { versions: { node: '22.0.0' } } },
    ],
    ['a Cloudflare worker', { navigator: { userAgent: 'Cloudflare-Workers' } }],
    ['Deno', { navigator: { userAgent: 'Deno/2.1.0' } }],
    ['Bun', { navigator: { userAgent: 'Bun/1.2' }, process: { versions: { node: '22.0.0', bun: '1.2.0' } } }],
    ['a runtime that identifies itself by nothing', {}],
    ['the main process of Electron', { process: { type: 'browser', versions: { node: '22.0.0' } } }],
    ['a utility process of Electron', { process: { type: 'utility', versions: { node: '22.0.0' } } }],
  ])('is accepted in %s', (_, runtime) => {
    expect(make(runtime)).toEqual(['made', 'made', 'made', 'made'])
  })

  it('is not needed for the other exports, which work in a page', () => {
    vi.stubGlobal('process', undefined)
    vi.stubGlobal('document', {})
    expect(
      validateCommand({ name: 'play', description: 'Play' }, { scope: 'global', operation: 'create' }),
    ).toEqual([])
  })
})
