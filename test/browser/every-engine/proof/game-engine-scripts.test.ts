/** Demands of game engines on the classic scripts, in every engine: globals, loaders, side effects and the facade of strings. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { EnginePage } from '../../../support/engines/engine'
import { expectOutcome, openGame } from '../../../support/engines/engine-game'
import { inEveryEngine } from '../../../support/engines/in-every-engine'
import { serveEngineGame } from '../../../support/engines/serve-engine-game'
import { serveFiles } from '../../../support/engines/serve-files'

const ADA = '175928847299117063'
const SDK = '/dist/umd/index.umd.js'
const BOTH = `<script src="${SDK}"></script><script src="/dist/umd/foyer.engine.js"></script>`
const STRICT =
  "default-src 'none'; script-src 'self'; connect-src 'self' http://127.0.0.1:*; require-trusted-types-for 'script'; trusted-types 'none'"

const page = (scripts: string) => `<!doctype html><title>Game</title><link rel="icon" href="data:," />
<canvas id="canvas" width="300" height="150"></canvas><button id="sign-in">Sign in</button>${scripts}`

/** Functions that Chrome 85, Firefox 79 or Safari 14 lacks. */
const REMOVE_NEWER = `for (const [owner, ...names] of [
  [AbortSignal, 'any', 'timeout'], [window, 'structuredClone'], [Crypto.prototype, 'randomUUID'], [Promise, 'any', 'allSettled'],
  [Array.prototype, 'at', 'findLast', 'toSorted'], [String.prototype, 'at', 'replaceAll', 'matchAll'], [Object, 'hasOwn', 'groupBy'],
  [Navigator.prototype, 'userActivation'], [Response, 'json'],
]) for (const name of names) delete owner[name]`

/** Records each use of the platform until the SDK has loaded. */
const RECORD_EFFECTS = `window.effects = []
const record = (owner, name) => {
  const original = owner[name]
  owner[name] = function (...given) { effects.push(name); return original.apply(this, given) }
}
for (const [owner, ...names] of [
  [window, 'fetch', 'setTimeout', 'setInterval', 'requestAnimationFrame', 'open'], [XMLHttpRequest.prototype, 'open', 'send'],
  [Storage.prototype, 'getItem', 'setItem', 'removeItem'], [IDBFactory.prototype, 'open', 'deleteDatabase'],
  [EventTarget.prototype, 'addEventListener'], [Document.prototype, 'createElement', 'querySelector', 'getElementById'],
  [Node.prototype, 'appendChild', 'insertBefore'], [History.prototype, 'pushState', 'replaceState'],
  [console, 'log', 'warn', 'error', 'info', 'debug'],
]) for (const name of names) record(owner, name)
for (const name of ['BroadcastChannel', 'WebSocket', 'Worker', 'EventSource'])
  window[name] = class extends window[name] { constructor(...given) { effects.push(name); super(...given) } }`

/** An AMD loader, as RequireJS and Monaco have one. */
const AMD =
  'window.defined = []; window.define = (names, factory) => { const made = {}; factory(made); defined.push(made) }; define.amd = {}'

/** Calls a method of the facade; resolves with its message. */
const call = (method: string, args: unknown[] = []) =>
  `new Promise((resolve) => Foyer.engine.call('${method}', ${JSON.stringify(JSON.stringify(args))}, (json) => resolve(JSON.parse(json))))`

async function approveIn(popup: EnginePage): Promise<void> {
  await popup.press('Ada')
  await popup.press('Approve')
}

inEveryEngine((engineTest) => {
  engineTest(
    'the classic script adds one global, keeps the first of two, and gives the name back',
    async (engine) => {
      const { url } = await serveFiles(() => ({
        '/': page(`<script src="/before.js"></script><script src="${SDK}"></script><script src="/after.js"></script>
        <script src="${SDK}?again"></script><script src="/last.js"></script>`),
        '/before.js': 'window.names = Object.getOwnPropertyNames(window)',
        '/after.js':
          'window.first = Foyer; window.added = Object.getOwnPropertyNames(window).filter((name) => !names.includes(name))',
        '/last.js': 'window.isKept = Foyer === first; window.returned = Foyer.noConflict()',
      }))
      const tab = await engine.open()
      await tab.goto(url)
      expect(
        await tab.evaluate("added.filter((name) => !['first', 'names', 'added'].includes(name))"),
      ).toEqual(['Foyer'])
      expect(
        await tab.evaluate('[isKept, returned === first, typeof window.Foyer, first.default === first]'),
      ).toEqual([true, true, 'undefined', true])
    },
  )

  engineTest(
    'the classic script finds the global object inside a strict function and a module',
    async (engine) => {
      const code = readFileSync('dist/umd/index.umd.js', 'utf8')
      const { url } = await serveFiles(() => ({
        '/': page('<script src="/wrapped.js"></script>'),
        '/wrapped.js': `(function () { 'use strict'; var exports, module, define;\n${code}\n}).call(undefined)`,
        '/module': page('<script type="module" src="/module.js"></script>'),
        '/module.js': code,
      }))
      const tab = await engine.open()
      await tab.goto(url)
      expect(await tab.evaluate('typeof Foyer.Client')).toBe('function')
      await tab.goto(`${url}module`)
      expect(await tab.evaluate('typeof Foyer.Client')).toBe('function')
    },
  )

  engineTest('the classic script loads without any effect on the page', async (engine) => {
    const { url } = await serveFiles(() => ({
      '/': page(`<script src="/before.js"></script>${BOTH}<script src="/after.js"></script>`),
      '/before.js': RECORD_EFFECTS,
      '/after.js': "window.atLoad = [...effects]; localStorage.getItem('proves that effects are recorded')",
    }))
    const tab = await engine.open()
    await tab.goto(url)
    expect(await tab.evaluate("[typeof Foyer.engine.call, atLoad, effects.includes('getItem')]")).toEqual([
      'function',
      [],
      true,
    ])
  })

  engineTest('a player signs in without newer functions of the platform', async (engine) => {
    const game = await serveEngineGame({ before: REMOVE_NEWER })
    const tab = await openGame(await engine.open(), game.url)
    await approveIn(await tab.popupAfter('#popup'))
    await expectOutcome(tab, `signed in ${ADA}`)
  })

  engineTest(
    'an AMD loader takes the UMD script, and the IIFE script defines the global beside it',
    async (engine) => {
      const { url } = await serveFiles(() => ({
        '/': page(`<script src="/amd.js"></script><script src="${SDK}"></script><script src="/after.js"></script>
        <script src="/dist/umd/index.iife.js"></script><script src="/dist/umd/foyer.engine.js"></script>`),
        '/amd.js': AMD,
        '/after.js':
          'window.afterUmd = [typeof window.Foyer, typeof defined[0].Client, defined[0].default === defined[0]]',
      }))
      const tab = await engine.open()
      await tab.goto(url)
      expect(await tab.evaluate('afterUmd')).toEqual(['undefined', 'function', true])
      expect(await tab.evaluate('[defined.length, typeof Foyer.Client, typeof Foyer.engine.call]')).toEqual([
        1,
        'function',
        'function',
      ])
    },
  )

  engineTest('a CommonJS loader gets the names and a default', async (engine) => {
    const { url } = await serveFiles(() => ({ '/': page('') }))
    const tab = await engine.open()
    await tab.goto(url)
    const load = `fetch('${SDK}').then((response) => response.text()).then((code) => {
      const module = { exports: {} }
      new Function('module', 'exports', code)(module, module.exports)
      return [typeof module.exports.Client, typeof module.exports.default.Client, typeof window.Foyer]
    })`
    expect(await tab.evaluate(load)).toEqual(['function', 'function', 'undefined'])
  })

  engineTest(
    'the browser accepts the script with the published integrity hash, and refuses a changed one',
    async (engine) => {
      const hashes: Record<string, string> = JSON.parse(readFileSync('dist/umd/integrity.json', 'utf8'))
      const tag = (path: string) =>
        `<script src="${path}" integrity="${hashes['index.umd.js']}" crossorigin="anonymous"></script>`
      const { url } = await serveFiles(() => ({
        '/': page(tag(SDK)),
        '/changed': page(tag('/changed.js')),
        '/changed.js': `${readFileSync('dist/umd/index.umd.js', 'utf8')}//`,
      }))
      const tab = await engine.open()
      await tab.goto(url)
      expect(await tab.evaluate('typeof window.Foyer')).toBe('object')
      await tab.goto(`${url}changed`)
      expect(await tab.evaluate('typeof window.Foyer')).toBe('undefined')
    },
  )

  engineTest(
    'an engine calls with strings: sign-in, lobby, events and errors, under a strict policy',
    async (engine) => {
      const { url } = await serveFiles(
        (game) => ({
          '/': page(`${BOTH}<script src="/game.js"></script>`),
          '/game.js': `window.events = []
          Foyer.engine.on((json) => events.push(JSON.parse(json)))
          Foyer.engine.call('init', ${JSON.stringify(JSON.stringify({ ...game, service: { host: game.host }, host: undefined }))})
          document.querySelector('#sign-in').onclick = () => { window.signInId = Foyer.engine.call('signIn', '') }`,
        }),
        { 'content-security-policy': STRICT },
      )
      const tab = await engine.open()
      await tab.goto(url)
      expect(await tab.evaluate(call('createOrJoinLobby', ['moon']))).toMatchObject({
        ok: false,
        error: { code: 'signed_out' },
      })
      await approveIn(await tab.popupAfter('#sign-in'))
      await tab.evaluate('void (window.polled = [])')
      await expect
        .poll(() => tab.evaluate('void polled.push(...JSON.parse(Foyer.engine.poll())), polled.length'))
        .toBeGreaterThan(1)
      expect(await tab.evaluate('polled.find(({ id }) => id === signInId)')).toMatchObject({
        ok: true,
        value: { userId: ADA },
      })
      const joined = await tab.evaluate<{ value: { id: string } }>(call('createOrJoinLobby', ['moon']))
      expect(joined).toMatchObject({ ok: true, value: { members: [{ id: ADA }] } })
      const sent = await tab.evaluate(call('lobby.send', [joined.value.id, 'Hello!']))
      expect(sent).toMatchObject({ ok: true, value: { content: 'Hello!' } })
      const names = await tab.evaluate<string[]>('events.map(({ event }) => event)')
      expect(names).toEqual(expect.arrayContaining(['statusChanged', 'sessionChanged', 'lobbyCreated']))
      expect(await tab.evaluate('JSON.stringify(events)')).not.toMatch(/"accessToken":"(?!\[secret\])/)
    },
  )

  engineTest('a page without fetch signs in with XMLHttpRequest and a store of its own', async (engine) => {
    const [, recipe = ''] =
      /```javascript\n(function xhrFetch[\s\S]*?)```/.exec(readFileSync('docs/engines.md', 'utf8')) ?? []
    const { url } = await serveFiles(({ applicationId, host }) => ({
      '/': page(`<script src="/game.js"></script>${BOTH}<script src="/start.js"></script>`),
      '/game.js': `delete window.fetch\n${recipe}\nwindow.saved = {}
        window.store = { get: async (key) => saved[key], set: async (key, text) => void (saved[key] = text), delete: async (key) => void delete saved[key] }`,
      '/start.js': `Foyer.engine.use(new Foyer.Client({
          ...${JSON.stringify({ applicationId, service: { host } })}, fetch: xhrFetch, tokenStore: store,
        }))
        document.querySelector('#sign-in').onclick = () => Foyer.engine.call('signIn', '', (json) => { window.result = JSON.parse(json) })`,
    }))
    const tab = await engine.open()
    await tab.goto(url)
    await approveIn(await tab.popupAfter('#sign-in'))
    await expect
      .poll(() => tab.evaluate('window.result'))
      .toMatchObject({ ok: true, value: { userId: ADA, storage: 'store' } })
    expect(await tab.evaluate(call('fetchCurrentUser'))).toMatchObject({ ok: true, value: { id: ADA } })
    expect(await tab.evaluate('[typeof window.fetch, Object.keys(saved).length > 0]')).toEqual([
      'undefined',
      true,
    ])
  })
})
