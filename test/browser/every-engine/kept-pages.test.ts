/** Buttons of a form and links, in every engine: a sign-in that begins in their click keeps its page, and no other click is held. */
import { expect } from 'vitest'
import type { Engine, EnginePage } from '../../support/engines/engine'
import { expectOutcome, openGame } from '../../support/engines/engine-game'
import { inEveryEngine } from '../../support/engines/in-every-engine'
import { serveEngineGame } from '../../support/engines/serve-engine-game'

const ADA = '175928847299117063'
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

async function expectSignedIn(page: EnginePage, popup: EnginePage): Promise<void> {
  await popup.press('Ada')
  await popup.press('Approve')
  await expect.poll(() => page.evaluate('window.player')).toBe(ADA)
  expect(await page.evaluate('window.isFirst')).toBe(true)
}

const on = (type: string, work: string) =>
  `document.querySelector('#start').addEventListener('${type}', (event) => { ${work} })`
const FORM =
  '<form action="/callback.html"><input name="word" value="moon"><button id="start">Sign in</button></form>'
const LINK = '<p><a id="start" href="/elsewhere"><b>Sign in</b></a></p>'
const CARD = '<a href="/elsewhere">A game <button id="start" type="button">Sign in</button></a>'

inEveryEngine((engineTest) => {
  for (const [name, markup, code] of [
    ['button of a form', FORM, on('click', POPUP)],
    ['button of a form, after a microtask', FORM, on('click', `Promise.resolve().then(() => ${POPUP})`)],
    ['button of a form, when it is released', FORM, on('pointerup', POPUP)],
    ['link', LINK, on('click', POPUP)],
    ['button in a link, which stops the event', CARD, on('click', `event.stopPropagation(); ${POPUP}`)],
    [
      'form without preventDefault()',
      FORM,
      `document.querySelector('form').addEventListener('submit', () => { ${POPUP} })`,
    ],
  ] as const) {
    engineTest(`a sign-in by a popup from a ${name} keeps its page, with a warning`, async (engine) => {
      const page = await openWith(engine, markup, code)
      await expectSignedIn(page, await page.popupAfter('#start'))
      expect(await page.evaluate('warnings')).toEqual(['page.kept'])
    })
  }

  for (const [name, markup] of [
    ['button of a form', FORM],
    ['link', LINK],
  ] as const) {
    engineTest(
      `a sign-in by redirect from a ${name} reaches the authorize page, and returns`,
      async (engine) => {
        const page = await openWith(engine, markup, on('click', REDIRECT))
        await page.click('#start')
        await page.press('Ada')
        await page.press('Approve')
        await expectOutcome(page, `signed in ${ADA}`)
      },
    )
  }

  engineTest(
    'a form that the game sends itself, and one sent after the sign-in, are left alone',
    async (engine) => {
      const code = `document.querySelector('form').addEventListener('submit', (event) => { event.preventDefault(); ${POPUP} })`
      const page = await openWith(engine, FORM, code)
      await expectSignedIn(page, await page.popupAfter('#start'))
      expect(await page.evaluate('warnings')).toEqual([])
      await page.evaluate('(document.querySelector("form").submit(), true)')
      await expect.poll(() => page.url()).toContain('/callback.html?word=moon')
    },
  )

  for (const type of ['click', 'pointerup']) {
    engineTest(
      `the next click on a link after a sign-in that began at ${type} is followed at once`,
      async (engine) => {
        const page = await openWith(engine, `${FORM}<a id="next" href="#next">Next</a>`, on(type, POPUP))
        await page.popupAfter('#start')
        await page.click('#next')
        expect(await page.evaluate('location.hash')).toBe('#next')
      },
    )
  }

  engineTest('a link that the page itself clicks right after a sign-in is followed', async (engine) => {
    const next = `setTimeout(() => setTimeout(() => document.querySelector('#next').click()))`
    const page = await openWith(
      engine,
      `${FORM}<a id="next" href="#next">Next</a>`,
      on('click', `${POPUP}; ${next}`),
    )
    await page.popupAfter('#start')
    await expect.poll(() => page.evaluate('location.hash')).toBe('#next')
  })
})
