/** Buttons of a form and links, in every engine: a sign-in that begins in their click keeps its page. */
import { expect } from 'vitest'
import type { Engine, EnginePage } from '../../support/engines/engine'
import { expectOutcome, openGame } from '../../support/engines/engine-game'
import { inEveryEngine } from '../../support/engines/in-every-engine'
import { serveEngineGame } from '../../support/engines/serve-engine-game'

const ADA = 'signed in 175928847299117063'
const START = (surface: string) =>
  `client.signIn({ ${surface} }).then(({ userId }) => (window.player = userId), (error) => (window.player = error.code))`
const POPUP = START('')
const REDIRECT = START('surface: Foyer.redirectSurface()')

/** Adds this markup to the game, and code that runs in it. */
async function openWith(engine: Engine, markup: string, code: string): Promise<EnginePage> {
  const { url } = await serveEngineGame()
  const page = await openGame(await engine.open(), url)
  await page.evaluate(`document.body.insertAdjacentHTML('afterbegin', ${JSON.stringify(markup)})`)
  await page.evaluate(`(${code}, true)`)
  await page.evaluate('(window.isFirst = true)')
  return page
}

const onClick = (work: string) => `document.querySelector('#start').addEventListener('click', () => { ${work} })`
const FORM = '<form action="/callback.html"><input name="word" value="moon"><button id="start">Sign in</button></form>'

inEveryEngine((engineTest) => {
  for (const [name, markup, code] of [
    ['button of a form', FORM, onClick(POPUP)],
    ['button of a form, after a microtask', FORM, onClick(`Promise.resolve().then(() => ${POPUP})`)],
    ['link', '<p><a id="start" href="/elsewhere"><b>Sign in</b></a></p>', onClick(POPUP)],
    ['form without preventDefault()', FORM, `document.querySelector('form').addEventListener('submit', () => { ${POPUP} })`],
  ] as const) {
    engineTest(`a sign-in by a popup from a ${name} keeps its page, with a warning`, async (engine) => {
      const page = await openWith(engine, markup, code)
      const popup = await page.popupAfter('#start')
      await popup.press('Ada')
      await popup.press('Approve')
      await expect.poll(() => page.evaluate('window.player')).toBe(ADA.split(' ')[2])
      expect(await page.evaluate('window.isFirst')).toBe(true)
      expect(await page.evaluate('warnings')).toContain('page.kept')
    })
  }

  engineTest('a sign-in by redirect from a button of a form reaches the authorize page, and returns', async (engine) => {
    const page = await openWith(engine, FORM, onClick(REDIRECT))
    await page.click('#start')
    await page.press('Ada')
    await page.press('Approve')
    await expectOutcome(page, ADA)
  })

  engineTest('a form that the game sends itself, and one sent after the sign-in, are left alone', async (engine) => {
    const code = `document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); ${POPUP} })`
    const page = await openWith(engine, FORM, code)
    const popup = await page.popupAfter('#start')
    await popup.press('Ada')
    await popup.press('Approve')
    await expect.poll(() => page.evaluate('window.player')).toBe(ADA.split(' ')[2])
    expect(await page.evaluate('warnings')).toEqual([])
    await page.evaluate('(document.querySelector("form").submit(), true)')
    await expect.poll(() => page.url()).toContain('/callback.html?word=moon')
  })
})
