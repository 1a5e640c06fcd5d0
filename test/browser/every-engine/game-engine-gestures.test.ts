/** Gestures in game engines, in every engine of browsers: an engine handles a click in a later frame, or starts a sign-in without one. */
import { expect } from 'vitest'
import type { EnginePage } from '../../support/engines/engine'
import { inEveryEngine } from '../../support/engines/in-every-engine'
import { serveFiles } from '../../support/engines/serve-files'

const ADA = '175928847299117063'

const PAGE = `<!doctype html><title>Game</title><link rel="icon" href="data:," />
<canvas id="canvas" width="300" height="150"></canvas><script src="/dist/umd/index.umd.js"></script><script src="/dist/umd/foyer.engine.js"></script><script src="/game.js"></script>`

/** Handles input as engines do: its own listener stops the event, and the frame after it processes the input. */
const frameLoop = (game: object) => `
Foyer.engine.call('init', ${JSON.stringify(JSON.stringify(game))})
window.results = []; window.frames = 0; window.pressed = false
const canvas = document.querySelector('#canvas')
for (const name of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'touchstart', 'touchend'])
  canvas.addEventListener(name, (event) => { event.preventDefault(); event.stopPropagation(); if (name === 'pointerdown') pressed = true })
const frame = () => {
  frames += 1
  if (pressed) Foyer.engine.callOnGesture('signIn', '', (json) => results.push(JSON.parse(json)))
  pressed = false
  requestAnimationFrame(frame)
}
requestAnimationFrame(frame)`

async function approveIn(popup: EnginePage): Promise<void> {
  await popup.press('Ada')
  await popup.press('Approve')
}

inEveryEngine((engineTest) => {
  engineTest(
    'a sign-in that an engine starts in the frame after a click opens its popup, and the game loop continues',
    async (engine) => {
      const { url } = await serveFiles(({ applicationId, host }) => ({
        '/': PAGE,
        '/game.js': frameLoop({ applicationId, service: { host } }),
      }))
      const tab = await engine.open()
      await tab.goto(url)
      const popup = await tab.popupAfter('#canvas')
      const before = await tab.evaluate<number>('frames')
      await approveIn(popup)
      await expect
        .poll(() => tab.evaluate('results.map(({ ok, value }) => [ok, value?.userId])'))
        .toEqual([[true, ADA]])
      await expect.poll(() => tab.evaluate<number>('frames')).toBeGreaterThan(before)
    },
  )

  engineTest(
    'a sign-in that an engine starts two seconds after a click opens its popup',
    async (engine) => {
      const { url } = await serveFiles(({ applicationId, host }) => ({
        '/': PAGE,
        '/game.js': frameLoop({ applicationId, service: { host } }).replace(
          'Foyer.engine.callOnGesture(',
          'setTimeout(Foyer.engine.callOnGesture, 2000, ',
        ),
      }))
      const tab = await engine.open()
      await tab.goto(url)
      await approveIn(await tab.popupAfter('#canvas'))
      await expect
        .poll(() => tab.evaluate('results.map(({ ok, value }) => [ok, value?.userId])'))
        .toEqual([[true, ADA]])
    },
    { notIn: { WebKit: 'opens popups only within a second of a click' } },
  )

  engineTest(
    'a sign-in that an engine starts without a gesture waits for the next click, and only the last one',
    async (engine) => {
      const { url } = await serveFiles(({ applicationId, host }) => ({
        '/': PAGE,
        '/game.js': `${frameLoop({ applicationId, service: { host } })}
        for (const n of [1, 2]) Foyer.engine.callOnGesture('signIn', '', (json) => results.push(JSON.parse(json)))
        canvas.addEventListener('pointerdown', () => { pressed = false })`,
      }))
      const tab = await engine.open()
      await tab.goto(url)
      await expect.poll(() => tab.evaluate('results.map(({ error }) => error.code)')).toEqual(['superseded'])
      expect(await tab.windows()).toBe(1)
      await approveIn(await tab.popupAfter('#canvas'))
      await expect
        .poll(() => tab.evaluate('results.map(({ ok, value }) => [ok, value?.userId ?? null])'))
        .toEqual([
          [false, null],
          [true, ADA],
        ])
      await expect.poll(() => tab.windows()).toBe(1)
    },
  )
})
