// @vitest-environment happy-dom
/** A popup is closed whenever its sign-in ends, also while it opens. */
import { Client, popupSurface } from 'foyer-sdk'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'

afterEach(() => void vi.restoreAllMocks())

it('closes a popup whose sign-in ended inside window.open(), where Firefox runs other tasks', async () => {
  const cancellation = new AbortController()
  const close = vi.fn<() => void>()
  vi.spyOn(window, 'open').mockImplementation(() => {
    cancellation.abort()
    return { close, closed: false, postMessage: () => undefined } as unknown as Window
  })
  const client = new Client({ applicationId: '1', service: { host: 'https://service.test' } })
  onTestFinished(() => client.close())
  const surface = popupSurface({ redirectUri: `${window.origin}/callback.html` })
  await expect(
    client.authorize({ scopes: 'openid' }, { surface, signal: cancellation.signal }),
  ).rejects.toMatchObject({ code: 'aborted' })
  expect(close).toHaveBeenCalled()
})
