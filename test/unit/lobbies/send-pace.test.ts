/** Messages that are sent at the pace of a game's positions are named once, long before their limit is used up. */
import { createEmulator } from 'foyer-emulator'
import { Client, type LogEntry } from 'foyer-sdk'
import { expect, it, onTestFinished } from 'vitest'
import { consentSurface } from '../../support/consent-surface'
import { rejection } from '../../support/settle'

it(
  'more than ten a second are named once, and the error after the last one names the limit',
  { timeout: 20_000 },
  async () => {
    const emulator = await createEmulator()
    onTestFinished(() => emulator.close())
    const logged: LogEntry[] = []
    const client = new Client({
      applicationId: emulator.application.id,
      service: { host: emulator.url, limits: { send_message: { limit: 100, per: 7_200_000 } } },
      surface: consentSurface(emulator, { redirectUri: 'http://127.0.0.1:51234/callback' }),
      logger: (entry) => logged.push(entry),
    })
    onTestFinished(() => client.close())
    await client.signIn()
    const lobby = await client.createOrJoinLobby('race')
    const floods = () => logged.filter(({ step }) => step === 'lobby.flood')
    const send = (count: number) => Promise.all(Array.from({ length: count }, () => lobby.send('x')))
    await send(50)
    expect(floods()).toEqual([])
    await send(10)
    expect(floods()).toEqual([
      { level: 'warn', step: 'lobby.flood', data: { remedy: expect.stringContaining('docs/netcode.md') } },
    ])
    expect(await rejection(() => send(60))).toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(
        /: at most 100 in 7200 s\. They are for chat and moves: docs\/netcode\.md$/,
      ),
    })
  },
)
