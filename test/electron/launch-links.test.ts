/** Links by which the service's program starts the game, beside those of sign-ins, and links in another form, which are logged. */
import { describe, expect, test } from 'vitest'
import { app } from '../support/electron/fake-electron.mjs'
import { useMainProcessGame } from '../support/electron/main-process-game'
import { ManualClock } from '../support/manual-clock'

const SCHEME = 'com.example.mygame'
const LAUNCH = 'service-1234567890123456789'
const QUERY = 'authorize/callback?code=the-code&state=the-state'
const harness = useMainProcessGame()

function start({ scheme = SCHEME, launch = LAUNCH } = {}) {
  const clock = new ManualClock()
  const links = harness.links(scheme, { clock, launch })
  const { client, log } = harness.start({ scheme: links })
  /** Delivers a link as macOS does. Returns true if the game's own listeners need not look at it. */
  const deliver = (link: string) => {
    let isTaken = false
    app.emit('open-url', { preventDefault: () => (isTaken = true) }, link)
    clock.advance(1000)
    return isTaken
  }
  /** Entries of the log about links. */
  const said = () =>
    log.filter(({ step }) => step.startsWith('link.')).map(({ step, data }) => [step, ...Object.values(data)])
  return { client, links, log, deliver, said, clock }
}

describe('a launch link', () => {
  test.each([':', ':/', '://', ':///'])('is recognized with the ending %s, and joins nothing', (ending) => {
    const { client, deliver, said } = start()
    const secrets: string[] = []
    client.on('activityJoin', ({ secret }) => secrets.push(secret))
    expect(deliver(`${LAUNCH}${ending}`)).toBe(true)
    expect(said()).toEqual([['link.launched']])
    expect([client.takeInvitation(), secrets]).toEqual([null, []])
  })

  test('of a second process is recognized, and so is the one that starts the app', () => {
    process.argv.push('--flag', `${LAUNCH}://`)
    try {
      const { said, clock } = start()
      expect(said()).toEqual([['link.launched']])
      app.emit('second-instance', {}, ['game', '--', `${LAUNCH}://`], '/', {})
      clock.advance(1000)
      expect(said()).toHaveLength(2)
    } finally {
      process.argv.splice(-2)
    }
  })

  test('has a scheme that is registered beside that of sign-ins, and once if it is the same', () => {
    const before = app.registrations.length
    expect(start().links.launch).toEqual({ scheme: LAUNCH, registered: false })
    expect(app.registrations.slice(before).map(([scheme]) => scheme)).toEqual([SCHEME, LAUNCH])
    app.releaseSingleInstanceLock()
    start({ scheme: LAUNCH })
    expect(app.registrations.slice(before + 2).map(([scheme]) => scheme)).toEqual([LAUNCH])
  })

  test('and a sign-in link of the same scheme are told apart', async () => {
    const { client, deliver, said } = start({ scheme: LAUNCH })
    deliver(`${LAUNCH}://`)
    deliver(`${LAUNCH}:/${QUERY}`)
    await client.resume()
    deliver(`${LAUNCH}:/_service/join?secret=moon`)
    expect(said()).toEqual([['link.launched'], ['link.refused', 'state_mismatch']])
    expect(client.takeInvitation()).toEqual({ secret: 'moon' })
  })

  test.each(['1234567890123456789', 'javascript', '', 'service 1', 'Service-1'])(
    'cannot have the scheme %j',
    (launch) => {
      expect(() => start({ launch })).toThrow(
        expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining('launch') }),
      )
    },
  )

  test.each([
    `${LAUNCH}://join?secret=moon`,
    `${LAUNCH}:/_service/join?secret=moon`,
    `${LAUNCH}:/${QUERY}`,
    `${LAUNCH}://#join=moon`,
    `${LAUNCH}:////`,
    `${LAUNCH}://\n--inspect`,
    `"${LAUNCH}://"`,
    `${LAUNCH.toUpperCase()}://`,
  ])('attack/349 that brings something is none, and brings nothing: %j', (link) => {
    const { client, deliver, said } = start()
    const secrets: string[] = []
    client.on('activityJoin', ({ secret }) => secrets.push(secret))
    expect(deliver(link)).toBe(false)
    expect(said().map(([step]) => step)).toEqual(['link.malformed'])
    expect([client.takeInvitation(), secrets]).toEqual([null, []])
  })

  test.each([`${LAUNCH}1://`, `x${LAUNCH}://`, `--x=${LAUNCH}://`, 'service-1://', SCHEME, `${SCHEME}://`])(
    'of another app is no concern of this one: %s',
    (link) => {
      const { deliver, said } = start()
      expect(deliver(link)).toBe(false)
      expect(said()).toEqual([])
    },
  )
})

describe('a link in another form', () => {
  test.each([
    [`${SCHEME}://${QUERY}`, 'authority'],
    [`${SCHEME}://evil/${QUERY}`, 'authority'],
    [`${SCHEME}://_service/join?secret=moon`, 'authority'],
    [`${SCHEME}://evil/_service/join?secret=moon`, 'authority'],
    [`"${SCHEME}:/${QUERY}"`, 'quotes'],
    [`'${SCHEME}:/${QUERY}'`, 'quotes'],
    [`“${SCHEME}:/${QUERY}”`, 'quotes'],
    [` ${SCHEME}:/${QUERY}`, 'quotes'],
    [`${SCHEME.toUpperCase()}:/${QUERY}`, 'capitals'],
    [`Com.Example.MyGame:/${QUERY}`, 'capitals'],
    [`${SCHEME}:/Authorize/Callback?code=1`, 'path'],
    [`${SCHEME}:${QUERY}`, 'path'],
    [`${SCHEME}:////${QUERY}`, 'path'],
    [`${SCHEME}:/authorize/callback`, 'path'],
    [`${SCHEME}:/authorize/callback/?code=1`, 'path'],
    [`${SCHEME}:/authorize/callback#code=1`, 'path'],
    [`${SCHEME}:/_service/join`, 'path'],
    [`${SCHEME}:/${QUERY}${'a'.repeat(9000)}`, 'length'],
  ])('is logged with what is different, and nothing else of it: %.99s', async (link, form) => {
    const { client, log, deliver, said } = start()
    expect(deliver(link)).toBe(false)
    await client.resume()
    expect(said()).toEqual([['link.malformed', form]])
    expect(JSON.stringify(log)).not.toMatch(/the-code|moon|evil/)
  })

  test('among the arguments does not hide a sign-in link', async () => {
    const { client, clock, said } = start()
    app.emit('second-instance', {}, [`${SCHEME}://${QUERY}`, `${SCHEME}:/${QUERY}`], '/', { foyerLink: 42 })
    clock.advance(1000)
    await client.resume()
    expect(said()).toEqual([['link.refused', 'state_mismatch']])
  })

  test('attack/349 among thousands fills neither the log nor the queue of sign-ins', async () => {
    const { client, clock, said } = start()
    for (let number = 0; number < 5000; number++)
      app.emit('second-instance', {}, [`${SCHEME}://${QUERY}${number}`], '/', {})
    app.emit('second-instance', {}, [`${SCHEME}:/${QUERY}`], '/', {})
    clock.advance(60_000)
    await client.resume()
    expect(said().length).toBeLessThan(5)
    expect(said()).toContainEqual(['link.refused', 'state_mismatch'])
  })

  test('of the game itself is left to the game', () => {
    const { deliver, said } = start()
    expect(deliver(`${SCHEME}:/join/123`)).toBe(false)
    expect(said()).toEqual([])
  })
})
