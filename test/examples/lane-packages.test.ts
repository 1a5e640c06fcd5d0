/** Packages of a lane: the lane's own folder is installed when it lacks one, and the reason is stated when it cannot be. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { installPackages } from '../support/install-packages'

/** A folder that depends on two packages, of which one is installed. */
function folderOfTwo(): { folder: string; add: (name: string, version: string) => void } {
  const path = mkdtempSync(join(tmpdir(), 'foyer-lane-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  const write = (name: string, content: object) => writeFileSync(join(path, name), JSON.stringify(content))
  const add = (name: string, version: string) => {
    mkdirSync(join(path, 'node_modules', name), { recursive: true })
    write(`node_modules/${name}/package.json`, { version })
  }
  write('package.json', { dependencies: { 'a-game': '1.0.0', 'b-game': '2.0.0' } })
  add('a-game', '1.0.0')
  return { folder: relative(process.cwd(), path), add }
}

test('installs once, with one line, and not again while the versions are right', () => {
  const { folder, add } = folderOfTwo()
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined)
  onTestFinished(() => log.mockRestore())
  const installed: string[] = []
  const install = (path: string) => (installed.push(path), add('b-game', '2.0.0'), undefined)
  expect([installPackages(folder, install), installPackages(folder, install)]).toEqual([undefined, undefined])
  expect(log.mock.calls).toEqual([[`Installing b-game 2.0.0 into ${folder}.`]])
  add('a-game', '0.9.0')
  expect(installPackages(folder, install)).toBeUndefined()
  expect(installed).toHaveLength(2)
})

test('states what is missing and why when npm cannot install it', () => {
  const { folder } = folderOfTwo()
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined)
  onTestFinished(() => log.mockRestore())
  // The folder has no lockfile, which `npm ci` refuses without any network.
  expect(installPackages(folder)).toMatch(/^b-game 2\.0\.0 cannot be installed into .*: .*package-lock\.json/)
})
