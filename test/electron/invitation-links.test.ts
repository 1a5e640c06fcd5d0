/** Invitations by deep link: the main process keeps one until a window takes it, and tells a game that runs. */
import { describe, expect, test } from 'vitest'
import { app } from '../support/electron/fake-electron.mjs'
import { useMainProcessGame } from '../support/electron/main-process-game'
import { ManualClock } from '../support/manual-clock'

const SCHEME = 'com.example.game'
const JOIN = `${SCHEME}:/_service/join?secret=`
const harness = useMainProcessGame()

function start() {
  const clock = new ManualClock()
  const links = harness.links(SCHEME, { clock })
  const { client } = harness.start({ scheme: links })
  const arrived: string[] = []
  client.on('activityJoin', ({ secret }) => arrived.push(secret))
  /** Delivers a link as macOS does. */
  const deliver = (link: string) => {
    app.emit('open-url', { preventDefault: () => undefined }, link)
    clock.advance(1000)
  }
  return { client, arrived, deliver }
}

describe('an invitation link of the app', () => {
  test('is taken once, and a game that runs hears of it', () => {
    const { client, arrived, deliver } = start()
    deliver(`${JOIN}moon+42%20%E2%9C%93`)
    expect(arrived).toEqual(['moon 42 ✓'])
    expect([client.takeInvitation(), client.takeInvitation()]).toEqual([{ secret: 'moon 42 ✓' }, null])
  })

  test('replaces an earlier one, with three slashes as some systems write it', () => {
    const { client, deliver } = start()
    deliver(`${JOIN}moon`)
    deliver(`${SCHEME}:///_service/join?secret=sun`)
    expect(client.takeInvitation()).toEqual({ secret: 'sun' })
  })

  test.each([
    JOIN,
    `${JOIN}%20`,
    `${JOIN}${'a'.repeat(251)}`,
    `${JOIN}moon%0A`,
    `${JOIN}moon%00`,
    `${JOIN}moon%`,
    `${JOIN}%FF`,
    `${JOIN}%ED%A0%80`,
    `${JOIN}%3Cb%3E`,
    `${JOIN}__proto__`,
    `${JOIN}a&secret=b`,
    `${SCHEME}:/_another/join?secret=moon`,
    `${SCHEME}://evil/_service/join?secret=moon`,
    `${SCHEME}:/_service/join/friends?secret=moon`,
    `${SCHEME}:/_service/join#secret=moon`,
    `other:/_service/join?secret=moon`,
  ])('attack/211 that is hostile is none: %s', (link) => {
    const { client, arrived, deliver } = start()
    deliver(link)
    expect([client.takeInvitation(), arrived]).toEqual([null, []])
  })
})
