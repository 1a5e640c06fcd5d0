/** The join address of the service: answered with the page of the game, during development and in a preview. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, createServer, preview } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { joinPage } from '../support/internals'

const get = async (origin: string | undefined, path: string) => {
  const response = await fetch(new URL(path, origin), { headers: { accept: 'text/html' } })
  return [response.status, /<title>Game/.test(await response.text())]
}

test.each(['/', '/play/'])('the join address is answered with the page under the base %s', async (base) => {
  const root = mkdtempSync(join(tmpdir(), 'foyer-join-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(
    join(root, 'index.html'),
    '<!doctype html><title>Game</title><script type="module" src="/main.js"></script>',
  )
  writeFileSync(join(root, 'main.js'), 'document.title = "x"')
  const config = {
    root,
    base,
    configFile: false as const,
    logLevel: 'silent' as const,
    appType: 'mpa' as const,
    plugins: [joinPage('service')],
  }
  const server = await createServer({ ...config, server: { port: 0, ws: false, hmr: false, watch: null } })
  onTestFinished(() => server.close())
  await server.listen()
  const dev = new URL(String(server.resolvedUrls?.local[0])).origin
  expect(await get(dev, `${base}_service/join?secret=moon`)).toEqual([200, true])
  expect(await get(dev, `${base}_other/join?secret=moon`)).toEqual([404, false])
  await build(config)
  const shown = await preview({ ...config, preview: { port: 0 } })
  onTestFinished(() => shown.close())
  const origin = new URL(String(shown.resolvedUrls?.local[0])).origin
  expect(await get(origin, `${base}_service/join?secret=moon`)).toEqual([200, true])
  expect(await get(origin, `${base}_other/join?secret=moon`)).toEqual([404, false])
})
