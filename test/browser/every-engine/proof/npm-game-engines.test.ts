/** Game engines of npm, each as the real package beside the SDK in one page: a player signs in by the engine's own input. */
import { beforeEach, expect } from 'vitest'
import { inEveryEngine } from '../../../support/engines/in-every-engine'
import { codeOf, ENGINE_GAMES } from '../../../support/engines/npm-game-engines'
import { serveFiles } from '../../../support/engines/serve-files'
import { ENGINE_MODULES, requireGameEngines } from '../../../support/game-engines'

const ADA = '175928847299117063'

/** Waits for a gesture six times; only the fourth call is neither replaced nor ended. */
const WATCHING = `import { watchGestures } from 'foyer-sdk/engine'
  window.outcomes = []
  const gestures = watchGestures()
  const call = (name, options, { callOnGesture } = gestures) =>
    callOnGesture(() => (outcomes.push(name + ' ran'), Promise.resolve('done')), options).then(
      (value) => outcomes.push(value),
      ({ code }) => outcomes.push(name + ' ' + code),
    )
  const controller = new AbortController()
  call('first')
  call('second', { signal: controller.signal })
  controller.abort()
  call('third', { signal: controller.signal })
  call('fourth')
  const stopped = watchGestures()
  call('fifth', {}, stopped)
  stopped.stop()
  call('sixth', {}, stopped)`

beforeEach(({ skip }) => requireGameEngines({ skip }))

inEveryEngine(
  (engineTest) => {
    for (const game of ENGINE_GAMES) {
      engineTest(
        `${game.name}: a click on the canvas signs in, and the game loop runs on`,
        async (engine) => {
          const code = await codeOf(game)
          const tags = (game.scripts ?? [])
            .map((path) => `<script src="/${ENGINE_MODULES}/${path}"></script>`)
            .join('')
          const { url } = await serveFiles(({ applicationId, host }) => ({
            '/': `<!doctype html><title>Game</title><link rel="icon" href="data:," /><canvas id="canvas" width="300" height="200"></canvas>
          <script src="/dist/umd/index.umd.js"></script><script src="/dist/umd/foyer.engine.js"></script><script src="/start.js"></script>${tags}
          <script ${game.isModule ? 'type="module" ' : ''}src="/game.js"></script>`,
            '/start.js': `window.frames = 0
          window.faults = []
          window.outcomes = []
          addEventListener('error', ({ message }) => faults.push(message))
          window.canvas = document.querySelector('#canvas')
          window.countFrame = () => { window.frames += 1 }
          const client = new Foyer.Client(${JSON.stringify({ applicationId, service: { host } })})
          window.signIn = () => void client.signIn().then(({ userId }) => outcomes.push(userId), ({ code }) => outcomes.push(code))
          Foyer.engine.use(client)
          window.signInOnGesture = () => void Foyer.engine.callOnGesture('signIn', '', (json) => {
            const { ok, value, error } = JSON.parse(json)
            outcomes.push(ok ? value.userId : error.code)
          })`,
            '/game.js': code,
          }))
          const tab = await engine.open()
          await tab.goto(url)
          await expect.poll(() => tab.evaluate<number>('window.frames')).toBeGreaterThan(2)
          const popup = await tab.popupAfter('#canvas')
          await popup.press('Ada')
          await popup.press('Approve')
          await expect.poll(() => tab.evaluate('outcomes')).toEqual([ADA])
          const frames = await tab.evaluate<number>('window.frames')
          await expect.poll(() => tab.evaluate<number>('window.frames')).toBeGreaterThan(frames)
          expect(await tab.evaluate('faults')).toEqual([])
        },
      )
    }

    engineTest(
      'a module waits for the next click: the last call counts, and an aborted one never runs',
      async (engine) => {
        const code = await codeOf({ name: 'watchGestures', code: WATCHING })
        const { url } = await serveFiles(() => ({
          '/': '<!doctype html><title>Game</title><link rel="icon" href="data:," /><button id="press">Press</button><script type="module" src="/game.js"></script>',
          '/game.js': code,
        }))
        const tab = await engine.open()
        await tab.goto(url)
        const outcomes = () => tab.evaluate('[...(window.outcomes ?? [])].sort()')
        const ended = ['fifth aborted', 'first superseded', 'second aborted', 'sixth closed', 'third aborted']
        await expect.poll(outcomes).toEqual(ended)
        await tab.click('#press')
        await expect.poll(outcomes).toEqual([...ended, 'done', 'fourth ran'].toSorted())
        await tab.click('#press')
        expect(await outcomes()).toHaveLength(7)
      },
    )
  },
  { webgl: true },
)
