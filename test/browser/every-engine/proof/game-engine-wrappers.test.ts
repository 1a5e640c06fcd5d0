/** Wrappers of `engines/` in every browser engine, each inside a stand-in of its game engine's script interface: a player signs in. */
import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { EnginePage } from '../../../support/engines/engine'
import { CONSTRUCT, RPG_MAKER, UNITY } from '../../../support/engines/game-engine-stand-ins'
import { inEveryEngine } from '../../../support/engines/in-every-engine'
import { serveFiles } from '../../../support/engines/serve-files'

const ADA = '175928847299117063'
const BOTH = '<script src="/dist/umd/index.umd.js"></script><script src="/dist/umd/foyer.engine.js"></script>'
const wrapper = (path: string) => readFileSync(`engines/${path}`, 'utf8')

interface Game {
  applicationId: string
  host: string
}

/** Serves a page of these scripts, in order; `sdk` stands for the two scripts of the SDK. */
const serveGame = (scripts: (game: Game) => readonly ('sdk' | { code: string })[]) =>
  serveFiles((game) => {
    const all = scripts(game)
    const tags = all.map((script, i) => (script === 'sdk' ? BOTH : `<script src="/${i}.js"></script>`))
    const codes = all.flatMap((script, i) => (script === 'sdk' ? [] : [[`/${i}.js`, script.code]]))
    const body = `<!doctype html><title>Game</title><link rel="icon" href="data:," /><canvas id="canvas"></canvas>${tags.join('')}`
    return { '/': body, ...Object.fromEntries(codes) }
  })

const initArgs = ({ applicationId, host }: Game) =>
  JSON.stringify(JSON.stringify([{ applicationId, service: { host } }]))

async function approve(popup: EnginePage): Promise<void> {
  await popup.press('Ada')
  await popup.press('Approve')
}

const unityGame = (values: Game) => `
      unity.call('FoyerCall', 'init', ${initArgs(values)})
      window.messages = []
      const update = () => {
        for (let json = unity.text('FoyerNext'); json !== ''; json = unity.text('FoyerNext')) messages.push(JSON.parse(json))
        requestAnimationFrame(update)
      }
      update()
      document.querySelector('#canvas').onpointerdown = () => requestAnimationFrame(() => unity.call('FoyerCallOnGesture', 'signIn', ''))`

const constructGame = (values: Game) => `
      started.then(() => foyer('init', ${JSON.stringify({ applicationId: values.applicationId, service: { host: values.host } })}))
      document.querySelector('#canvas').onpointerdown = () => requestAnimationFrame(() => foyer('signIn'))`

const makerParameters = ({ applicationId, host }: Game) =>
  `window.plugin = ${JSON.stringify({ applicationId, host, eventVariable: '9' })}`

const gameMakerGame = (values: Game) => `
      foyer_call('init', ${initArgs(values)})
      window.messages = []
      const step = () => { messages.push(...JSON.parse(foyer_poll())); requestAnimationFrame(step) }
      step()
      document.querySelector('#canvas').onpointerdown = () => requestAnimationFrame(() => { window.id = foyer_call_on_gesture('signIn', '') })`

inEveryEngine((engineTest) => {
  engineTest(
    'Unity (stand-in): texts cross the heap, a player signs in, and nothing leaks',
    async (engine) => {
      const { url } = await serveGame((values) => [
        'sdk',
        { code: UNITY },
        { code: wrapper('unity/Foyer.jslib') },
        { code: unityGame(values) },
      ])
      const tab = await engine.open()
      await tab.goto(url)
      await approve(await tab.popupAfter('#canvas'))
      await expect
        .poll(() => tab.evaluate("messages.find(({ method }) => method === 'signIn')?.value?.userId"))
        .toBe(ADA)
      await tab.evaluate(
        "void unity.call('FoyerCall', 'createOrJoinLobby', JSON.stringify(['Mond über Kiel 🌙']))",
      )
      await expect
        .poll(() => tab.evaluate("messages.find(({ method }) => method === 'createOrJoinLobby')?.ok"))
        .toBe(true)
      await tab.evaluate("void unity.call('FoyerCall', 'lobby.leave', '')")
      await expect
        .poll(() => tab.evaluate("messages.find(({ method }) => method === 'lobby.leave')?.error?.code"))
        .toBe('invalid_argument')
      expect(await tab.evaluate("messages.some(({ event }) => event === 'lobbyCreated')")).toBe(true)
      expect(await tab.evaluate('unity.leaks()')).toBe(0)
    },
  )

  engineTest('Construct 3 (stand-in): the event sheet gets results and events as texts', async (engine) => {
    const { url } = await serveGame((values) => [
      { code: CONSTRUCT },
      { code: wrapper('construct/foyer.js') },
      { code: constructGame(values) },
    ])
    const tab = await engine.open()
    await tab.goto(url)
    await expect
      .poll(() => tab.evaluate("sheet.find(([, method]) => method === 'init')"))
      .toEqual(['On Foyer result', 'init', 1, 'null'])
    await approve(await tab.popupAfter('#canvas'))
    await expect
      .poll(() => tab.evaluate("sheet.some(([, method, ok]) => method === 'signIn' && ok === 1)"))
      .toBe(true)
    expect(
      await tab.evaluate(
        "sheet.some(([name, event]) => name === 'On Foyer event' && event === 'sessionChanged')",
      ),
    ).toBe(true)
    await tab.evaluate("void foyer('lobby.leave', 'none')")
    await expect
      .poll(() => tab.evaluate("sheet.find(([, method]) => method === 'lobby.leave')"))
      .toEqual(['On Foyer result', 'lobby.leave', 0, 'invalid_argument'])
  })

  engineTest(
    'RPG Maker MZ (stand-in): an event waits for each command, and gets a switch and a variable',
    async (engine) => {
      const game = `window.interpreter = new Game_Interpreter()
      document.querySelector('#canvas').onpointerdown = () => { window.done = interpreter.run([
        ['Foyer:signIn', { switch: '1', variable: '2' }],
        ['Foyer:call', { method: 'createOrJoinLobby', args: '["moon"]', switch: '3', variable: '4' }],
        ['Foyer:call', { method: 'lobby.leave', args: '["none"]', switch: '5', variable: '6' }],
      ]) }`
      const { url } = await serveGame((values) => [
        'sdk',
        { code: `${makerParameters(values)}\n${RPG_MAKER}` },
        { code: wrapper('rpg-maker-mz/Foyer.js') },
        { code: game },
      ])
      const tab = await engine.open()
      await tab.goto(url)
      await approve(await tab.popupAfter('#canvas'))
      await tab.evaluate('window.done')
      expect(await tab.evaluate('[1, 3, 5].map((id) => $gameSwitches.value(id))')).toEqual([
        true,
        true,
        false,
      ])
      expect(
        await tab.evaluate(
          '[$gameVariables.value(2), $gameVariables.value(4).members.length, $gameVariables.value(6)]',
        ),
      ).toEqual([ADA, 1, 'invalid_argument'])
      expect(await tab.evaluate('JSON.parse($gameVariables.value(9)).event')).toBe('lobbyCreated')
      // A saved game continues after a call that no longer exists.
      expect(
        await tab.evaluate(
          "(interpreter.setWaitMode('foyer'), interpreter.foyerCall = 999, interpreter.updateWaitMode())",
        ),
      ).toBe(false)
    },
  )

  engineTest(
    'GameMaker (stand-in): functions of the extension take and return texts and numbers',
    async (engine) => {
      const { url } = await serveGame((values) => [
        'sdk',
        { code: wrapper('gamemaker/foyer.js') },
        { code: gameMakerGame(values) },
      ])
      const tab = await engine.open()
      await tab.goto(url)
      await approve(await tab.popupAfter('#canvas'))
      await expect
        .poll(() => tab.evaluate('messages.find((message) => message.id === window.id)?.value?.userId'))
        .toBe(ADA)
      expect(await tab.evaluate("[typeof id, foyer_cancel(id), typeof foyer_call('status', '')]")).toEqual([
        'number',
        0,
        'number',
      ])
    },
  )
})
