/** A page of the demo that stays open while the demo is started again, with its emulator at another address. */
import { expect, it } from 'vitest'
import { openScreen, useDemo } from '../../support/use-demo'
import { startBuiltDemo, stopDemo } from '../demo-process'

const opened = useDemo({ allowed: /net::|503/ })

it('shows the address of the new emulator', async () => {
  await opened.load()
  const { page } = opened
  await openScreen(page, 'Service')
  const host = page.locator('.emulator dd code').first()
  const before = await host.textContent()
  const { port } = new URL(opened.demo.url)
  await stopDemo(opened.demo)
  opened.demo = await startBuiltDemo('--port', port)
  await page.getByText('The emulator was started again').waitFor()
  const preset = (await (await fetch(new URL('preset.json', opened.demo.url))).json()) as { host: string }
  expect(preset.host).not.toBe(before)
  await expect.poll(() => host.textContent()).toBe(preset.host)
})
