/** The run of the demo: its steps as rows, and below them the message of the chosen one. */
import type { Page } from 'playwright'
import { readFile } from 'node:fs/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { approve, deny, popupAfter } from '../../support/consent-page'
import { useDemo } from '../../support/use-demo'
import { axeFaults } from '../demo-page'

const opened = useDemo()
let page: Page

beforeEach(async () => {
  page = opened.page
  await opened.load()
})

const step = (title: string) => page.locator('#steps .step', { hasText: title })
const titles = () => page.locator('#steps .step:not(.step-request) strong').allTextContents()
const message = () => page.locator('#message')
const heading = (name: string) => message().getByRole('heading', { name, exact: true }).waitFor()

async function signIn(): Promise<void> {
  await page.click('#quick-start')
  await page.locator('.quick-result').getByText('Signed in after').waitFor()
}

async function boxOf(
  selector: string,
): Promise<{ top: number; bottom: number; left: number; right: number }> {
  const box = await page.locator(selector).boundingBox()
  if (!box) throw new Error(`${selector} is not shown.`)
  return { top: box.y, bottom: box.y + box.height, left: box.x, right: box.x + box.width }
}

const formAt = async () => (await boxOf('#arguments')).top

describe('a step of a run', () => {
  it('is chosen by a click or by the arrow keys, and shows its message with the status in the head', async () => {
    await signIn()
    await heading('Checked the ID token')
    await step('Asked the player').click()
    await heading('Asked the player')
    await message()
      .getByRole('row', { name: /^code_challenge_method S256/ })
      .waitFor()
    await page.keyboard.press('ArrowDown')
    await heading('Checked the callback')
    await page.keyboard.press('ArrowUp')
    await heading('Asked the player')
    await step('Redeemed the code').click()
    await heading('Redeemed the code')
    expect(await message().locator('.message-head').textContent()).toMatch(
      /^POST \/api\/v10\/oauth2\/token200\d+ ms$/,
    )
    await page.keyboard.press('Home')
    await heading('Asked the player')
    expect(await page.locator('#steps [aria-selected=true] strong').textContent()).toBe('Asked the player')
    expect(await axeFaults(page)).toEqual([])
  })

  it('tells when it happened as time since the start, and an error after the checks before it', async () => {
    await deny(await popupAfter(page, '#sign-in-button'))
    await heading('access_denied')
    await step('Checked the callback').waitFor()
    expect(await titles()).toEqual(['Asked the player', 'Checked the callback', 'access_denied'])
    for (const words of await page.locator('#steps .step .ms').allTextContents())
      expect(words).toMatch(/^\+(\d+ ms|\d+\.\d s)$/)
    await message()
      .getByRole('row', { name: /^error access_denied/ })
      .waitFor()
  })

  it('is a later refresh, call or failure of the session too, in the order in which they happened', async () => {
    await signIn()
    await page.getByRole('button', { name: 'Refresh now' }).click()
    await heading('Token refresh')
    await message()
      .getByRole('row', { name: /^grant_type refresh_token/ })
      .waitFor()
    await page.getByRole('button', { name: 'Revoke at the service' }).click()
    await page.getByRole('button', { name: 'Call the API', exact: true }).click()
    // A failure is shown with the message that it comes from.
    await heading('refresh_rejected')
    await message().locator('.outcome-failed').getByText('400').waitFor()
    const all = await page.locator('#steps .step strong').allTextContents()
    const later = ['Token refresh', 'Revoked at the service', 'API call', 'Token refresh', 'refresh_rejected']
    expect(all.slice(-later.length)).toEqual(later)
    expect(await step('API call').last().textContent()).toContain('401')
    opened.complaints = opened.complaints.filter((text) => !/status of 40[01]/.test(text))
  })

  it('can be sent again with changed parameters, and the answer is a row of the run', async () => {
    await signIn()
    await step('Redeemed the code').click()
    await page.getByRole('button', { name: 'Send again' }).click()
    const form = page.getByRole('form', { name: 'Send POST /api/v10/oauth2/token again' })
    expect(await form.getByLabel('code_verifier').getAttribute('type')).toBe('password')
    await form.getByLabel('grant_type').fill('password')
    expect(await axeFaults(page)).toEqual([])
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await heading('Token request, sent again')
    await message().locator('.outcome-failed').getByText('400').waitFor()
    await message()
      .getByRole('row', { name: /^grant_type password/ })
      .waitFor()
    await message()
      .getByRole('row', { name: /^error unsupported_grant_type/ })
      .waitFor()
    // The session goes on, and the steps of the sign-in keep their message.
    await page.locator('.badge-fresh').waitFor()
    await step('Redeemed the code').click()
    await message()
      .getByRole('row', { name: /^grant_type authorization_code/ })
      .waitFor()
    opened.complaints = opened.complaints.filter((text) => !text.includes('status of 400'))
  })

  it('can be sent again with a parameter that is added, and without one that is left out', async () => {
    await signIn()
    await step('Redeemed the code').click()
    await page.getByRole('button', { name: 'Send again' }).click()
    const form = page.getByRole('form', { name: 'Send POST /api/v10/oauth2/token again' })
    await form.getByRole('button', { name: 'Leave out redirect_uri' }).click()
    await form.getByRole('button', { name: 'Add a field of the body' }).click()
    const [name, value] = [
      form.getByLabel('Name of what is added').last(),
      form.getByLabel('Value of what is added').last(),
    ]
    await name.fill('client_secret')
    await value.fill('hidden-from-everybody')
    expect(await value.getAttribute('type')).toBe('password')
    await form.getByRole('button', { name: 'Add a field of the body' }).click()
    await name.fill('audience')
    await value.fill('api')
    // A name that no browser sends is told beside the button, and nothing is sent.
    await form.getByRole('button', { name: 'Add a header' }).click()
    await name.fill('Host')
    await value.fill('another.example')
    expect(await axeFaults(page)).toEqual([])
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await form.getByRole('alert').getByText('Host is a header that only the browser itself sets').waitFor()
    await form.getByRole('button', { name: 'Remove Host' }).click()
    await form.getByRole('button', { name: 'Send', exact: true }).click()
    await heading('Token request, sent again')
    await message().locator('.outcome-failed').getByText('401').waitFor()
    await message()
      .getByRole('row', { name: /^audience api/ })
      .waitFor()
    expect(
      await message()
        .getByRole('row', { name: /^redirect_uri/ })
        .count(),
    ).toBe(0)
    await message()
      .getByRole('row', { name: /^client_secret/ })
      .waitFor()
    expect(await page.locator('body').textContent()).not.toContain('hidden-from-everybody')
    opened.complaints = opened.complaints.filter((text) => !text.includes('status of 401'))
  })

  it('that was done carries no failure: the row of the error does', async () => {
    await deny(await popupAfter(page, '#sign-in-button'))
    await heading('access_denied')
    for (const title of ['Asked the player', 'Checked the callback'])
      expect(await step(title).locator('.outcome-tag').count()).toBe(0)
    expect(await step('access_denied').locator('.outcome-failed').textContent()).toBe('failed')
  })

  it('is chosen by its arrow of the diagram', async () => {
    await signIn()
    await page.getByRole('tab', { name: 'Sequence' }).click()
    await page.locator('#steps').getByText('The same as a list').click()
    await page.getByRole('button', { name: /^Details of: SDK → Browser, opens the consent page/ }).click()
    await heading('Asked the player')
    expect(await page.getByRole('tab', { name: 'Steps' }).getAttribute('aria-selected')).toBe('true')
  })
})

/** Saves the shown run. Resolves with the text of the file. */
async function saved(): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save run' }).click(),
  ])
  return readFile(await download.path(), 'utf8')
}

const opens = (text: string, name = 'run.json') =>
  page
    .getByLabel('File of a run')
    .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) })

/** Drops a file on the screen, as a file manager does. */
async function drops(text: string): Promise<void> {
  const dropped = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([content], 'dropped.json', { type: 'application/json' }))
    return transfer
  }, text)
  await page.locator('#steps').dispatchEvent('drop', { dataTransfer: dropped })
}

describe('a run as a file', () => {
  it('has no secret, and is opened by a colleague with its steps, messages and checks', async () => {
    await signIn()
    await step('Redeemed the code').click()
    await page
      .getByRole('button', { name: 'Reveal all in POST /api/v10/oauth2/token for ten seconds' })
      .click()
    const secrets = await message()
      .getByRole('row', { name: /^(code|code_verifier|access_token|refresh_token) / })
      .locator('code')
      .allTextContents()
    expect(secrets).toHaveLength(4)
    const text = await saved()
    for (const secret of secrets) expect(text).not.toContain(secret)
    await page.evaluate(() => sessionStorage.clear())
    await opened.load()
    await page.reload()
    await page.locator('main:not([aria-busy])').waitFor()
    await opens(text)
    await page.getByRole('heading', { name: /^Run \d+ of run\.json$/ }).waitFor()
    await page.locator('.run-summary', { hasText: 'Ada Quinn signed in' }).waitFor()
    await step('Checked the callback').click()
    await heading('Checked the callback')
    expect(await message().locator('.checks').textContent()).toMatch(/Checks: \d passed.*state/)
    await step('Redeemed the code').click()
    await message()
      .getByRole('row', { name: /^code_verifier a secret, not kept/ })
      .waitFor()
    // The token is a secret, what it said is not.
    const claims = message().getByRole('table', { name: 'Claims of the ID token' })
    await claims.getByRole('row', { name: /^aud passed \d+$/ }).waitFor()
    await claims.getByRole('row', { name: /^exp passed in \d+ min/ }).waitFor()
    expect(await axeFaults(page)).toEqual([])
  })

  it('of a refused token has the claims that were refused', async () => {
    await page.getByText('State, nonce, PKCE pair and more').click()
    await page.getByRole('textbox', { name: 'Nonce' }).fill('n'.repeat(32))
    await page.getByText('Wrong on purpose').click()
    await page.getByLabel('Extra parameters').fill(`nonce=${'other'.repeat(8)}`)
    await approve(await popupAfter(page, '#sign-in-button'))
    await page.locator('.run-failed', { hasText: 'invalid_id_token' }).waitFor()
    await opens(await saved())
    await page.getByRole('heading', { name: 'Run 2 of run.json' }).waitFor()
    const claims = message().getByRole('table', { name: 'Claims of the ID token' })
    await claims.waitFor()
    expect(await claims.getByRole('row', { name: /^sub/ }).count()).toBe(1)
  })

  it('with a long name leaves the steps their room', async () => {
    await signIn()
    const text = await saved()
    await page.setViewportSize({ width: 1440, height: 900 })
    await opens(text, `${'a-run-of-a-colleague-'.repeat(9)}.json`)
    await page.getByRole('heading', { name: /^Run 2 of a-run/ }).waitFor()
    const rows = await boxOf('#run-view')
    expect(rows.bottom - rows.top).toBeGreaterThan(150)
  })

  it('with an impossible moment in its claims is shown all the same', async () => {
    await signIn()
    const text = (await saved()).replace(/"exp": "\d+"/, '"exp": "9999999999999"')
    await opens(text)
    await page.getByRole('heading', { name: 'Run 2 of run.json' }).waitFor()
    const row = message().getByRole('row', { name: /^exp passed/ })
    expect(await row.locator('code').textContent()).toBe('9999999999999')
  })

  it('can be dropped, and a sign-in after it is a run of its own', async () => {
    await signIn()
    const text = await saved()
    await drops(text)
    await page.getByRole('heading', { name: 'Run 2 of dropped.json' }).waitFor()
    await signIn()
    await page.getByRole('heading', { name: 'Run 3', exact: true }).waitFor()
    await page.getByRole('button', { name: /^Run 2/ }).click()
    expect(await titles()).toHaveLength(5)
  })

  it.each([
    ['{"log":{"version":"1.2"}}', 'This is no run of this demo. Choose a file that “Save run” has written.'],
    ['not JSON', 'This is no run of this demo: the file is no JSON.'],
    ['{"format":"foyer-demo-run","version":2}', 'another version of the demo'],
    ['{"format":"foyer-demo-run","version":1,"run":7}', 'run of the file is not an object'],
    [
      '{"format":"foyer-demo-run","version":1,"run":{"id":1,"startedAt":"now"}}',
      'startedAt of run of the file is not a number',
    ],
  ])('%s gets a sentence, and no run', async (text, words) => {
    await opens(text)
    await page.locator('.run-fault', { hasText: words }).waitFor()
    expect(await page.locator('#steps .step').count()).toBe(0)
  })
})

describe('a run beside another one', () => {
  it('is compared by its own sign-in: a later refusal of the session is a row of its own', async () => {
    await signIn()
    await page.getByRole('button', { name: 'Revoke at the service' }).click()
    await page.locator('.action-result', { hasText: 'revoked' }).waitFor()
    await page.getByRole('button', { name: 'Refresh now' }).click()
    await page.locator('.action-failed', { hasText: 'refresh_rejected' }).waitFor()
    await signIn()
    await page.getByRole('heading', { name: 'Run 2', exact: true }).waitFor()
    // The refusal was one of the session before.
    expect(await page.locator('.action-failed').count()).toBe(0)
    await page.getByRole('tab', { name: 'Compare' }).click()
    const token = page.getByRole('row', { name: /^Responses POST .*\/token/ })
    await token.waitFor()
    expect(await token.getByRole('rowheader').allTextContents()).toEqual([
      'Responses POST /api/v10/oauth2/token, no. 2',
    ])
    const names = await page.locator('.differences').getByRole('rowheader').allTextContents()
    expect(names.filter((name) => /exp|iat/.test(name))).toEqual([])
    opened.complaints = opened.complaints.filter((text) => !text.includes('status of 400'))
  })
})

describe.each([
  { width: 1440, height: 900, parts: 3 },
  { width: 1024, height: 768, parts: 2 },
])('at $width × $height', ({ width, height, parts }) => {
  it('the form stays where it is while the sign-in waits, fails or ends', async () => {
    await page.setViewportSize({ width, height })
    const idle = await formAt()
    const popup = await popupAfter(page, '#sign-in-button')
    await page.getByText('Times out in').waitFor()
    expect(await formAt()).toBe(idle)
    await deny(popup)
    await heading('access_denied')
    expect(await formAt()).toBe(idle)
    await page.locator('#argument-redirectUri').fill(`${opened.demo.url}callback.html?game=2`)
    await page.click('#sign-in-button')
    await message().locator('.registered-uris').waitFor()
    expect(await formAt()).toBe(idle)
    await page.locator('#argument-redirectUri').fill('')
    await signIn()
    expect(await formAt()).toBe(idle)
    opened.complaints = opened.complaints.filter((text) => !text.includes('status of 400'))
  })

  it('no name of a value breaks in the middle of a word', async () => {
    await page.setViewportSize({ width, height })
    await signIn()
    for (const title of ['Asked the player', 'Redeemed the code', 'Received the tokens']) {
      await step(title).click()
      await heading(title)
      const broken = await message()
        .locator('.fields th')
        .evaluateAll((names) =>
          names
            .flatMap((name) => [...name.childNodes])
            .filter((part) => {
              const range = document.createRange()
              range.selectNodeContents(part)
              return part.nodeType === Node.TEXT_NODE && range.getClientRects().length > 1
            })
            .map((part) => part.textContent),
        )
      expect(broken).toEqual([])
    }
  })

  it('a scope that fits into a line stands in one', async () => {
    await page.setViewportSize({ width, height })
    await signIn()
    await step('Received the tokens').click()
    await heading('Received the tokens')
    const scopes = message()
      .getByRole('row', { name: /^scope/ })
      .locator('.whole-word')
    await scopes.first().waitFor()
    const heights = await scopes.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
    const isWide = (index: number) => heights[index] !== heights[0]
    const texts = await scopes.allTextContents()
    // Only the longest one may need a second line.
    expect(texts.filter((text, index) => isWide(index) && text.length < 22)).toEqual([])
    expect(texts).toContain('relationships.read')
  })

  it('request, response and token stand side by side, and the panes fill the height', async () => {
    await page.setViewportSize({ width, height })
    await signIn()
    await step('Received the tokens').click()
    await heading('Received the tokens')
    const sections = message().locator('.exchange-parts > section')
    const tops = await sections.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
    expect(tops.filter((top) => top === tops[0])).toHaveLength(parts)
    const [steps, below, life] = [await boxOf('#steps'), await boxOf('#message'), await boxOf('#life')]
    // Steps and message are one pane, with one edge.
    expect(below.top - steps.bottom).toBe(-1)
    expect(life.top - below.bottom).toBe(12)
    expect(height - life.bottom).toBe(12)
    expect(below.right).toBe(life.right)
    // The message uses the whole of its panel.
    const filled = await sections.first().evaluate((one) => one.getBoundingClientRect().bottom)
    expect(below.bottom - filled).toBeLessThan(0.25 * (below.bottom - below.top))
  })
})
