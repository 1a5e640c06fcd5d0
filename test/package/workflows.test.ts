/** Workflows of the repository: what they run cannot change behind our back. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = '.github/workflows'

test.each(readdirSync(FOLDER))('%s runs actions at a commit, not at a tag that can move', (name) => {
  const uses = [...readFileSync(join(FOLDER, name), 'utf8').matchAll(/\buses:\s*(\S+)/g)].map(([, action = '']) => action)
  expect(uses).not.toEqual([])
  expect(uses.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([])
})
