/** Sends the app a link of its scheme through the operating system, and watches what the SDK does with it. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { app, shell } from 'electron'
import type { MainClient } from 'foyer-sdk/electron/main'
import type { LinkOutcome } from './contract'

export interface LinkTest {
  client: MainClient
  scheme: string
  /** Time in ms to wait for the link. Default: 10 seconds; a system may ask the user first. */
  timeout?: number
}

/** The link has no code, and a state that no sign-in waits for. */
export async function testDeepLink({ client, scheme, timeout = 10_000 }: LinkTest): Promise<LinkOutcome> {
  const state = randomUUID()
  const watch = watchLink(client, state)
  const end = new AbortController()
  try {
    await shell.openExternal(`${scheme}:/authorize/callback?error=access_denied&state=${state}`)
    await Promise.race([watch.refused, setTimeout(timeout, undefined, { signal: end.signal })])
    return { sent: true, ...watch.seen }
  } catch {
    // The message quotes the link and depends on the system.
    return { sent: false }
  } finally {
    end.abort()
    watch.stop()
  }
}

function watchLink(client: MainClient, state: string) {
  const begin = performance.now()
  const seen: Pick<LinkOutcome, 'arrivedAfter' | 'refusal'> = {}
  const arrive = (texts: readonly string[]) => {
    if (texts.some((text) => text.includes(state)))
      seen.arrivedAfter ??= Math.round(performance.now() - begin)
  }
  const onUrl = (_: unknown, url: string) => arrive([url])
  const onInstance = (_: unknown, argv: string[]) => arrive(argv)
  app.on('open-url', onUrl)
  app.on('second-instance', onInstance)
  const undo: (() => unknown)[] = [
    () => app.off('open-url', onUrl),
    () => app.off('second-instance', onInstance),
  ]
  const refused = new Promise<void>((resolve) => {
    const unsubscribe = client.on('log', ({ step, data: { code } }) => {
      if (step !== 'link.refused' || seen.arrivedAfter === undefined) return
      seen.refusal = typeof code === 'string' ? code : 'unknown'
      resolve()
    })
    undo.push(unsubscribe)
  })
  const stop = () => {
    for (const step of undo) step()
  }
  return { seen, refused, stop }
}
