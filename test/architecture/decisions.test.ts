/** A decision that another one replaces says so and links to it, and the list of decisions is complete. */
import { expect, test } from 'vitest'
import { pages } from '../package/markdown-pages'

const FOLDER = 'docs/decisions/'

interface Decision {
  readonly name: string
  readonly text: string
}

const all: readonly Decision[] = pages()
  .filter(({ path }) => path.startsWith(FOLDER))
  .map(({ path, text }) => ({ name: path.slice(FOLDER.length), text }))
const decisions = all.filter(({ name }) => name !== 'README.md')

/** Returns `old -> new` for each replaced decision whose page does not link to its replacement. */
function silent(found: readonly Decision[]): string[] {
  return found.flatMap(({ name, text }) => {
    const [, line = ''] = /^Replaces (.*)$/m.exec(text) ?? []
    const replaced = [...line.matchAll(/\]\(([\w-]+\.md)\)/g)].map(({ 1: target = '' }) => target)
    const says = (target: string) =>
      new RegExp(`^\\*\\*.*eplaced by \\[\\d+\\]\\(${name}\\)`, 'm').test(
        found.find((page) => page.name === target)?.text ?? '',
      )
    return replaced.filter((target) => !says(target)).map((target) => `${target} -> ${name}`)
  })
}

test('a replaced decision links to the one that replaces it', () => {
  expect(decisions.filter(({ text }) => text.includes('\nReplaces ')).length).toBeGreaterThan(3)
  expect(silent(decisions)).toEqual([])
})

test('a replaced decision without the link is reported', () => {
  const page = { name: '0002-new.md', text: '# 2. New\n\nReplaces [1](0001-old.md).\n' }
  expect(silent([page, { name: '0001-old.md', text: '# 1. Old\n' }])).toEqual(['0001-old.md -> 0002-new.md'])
  expect(
    silent([page, { name: '0001-old.md', text: '# 1. Old\n\n**Replaced by [2](0002-new.md).**\n' }]),
  ).toEqual([])
})

test('the list names each decision with its title', () => {
  const list = all.find(({ name }) => name === 'README.md')?.text ?? ''
  const entries = decisions.map(({ name, text }) => `[${/^# \d+\. (.*)$/m.exec(text)?.[1] ?? ''}](${name})`)
  expect(entries.length).toBeGreaterThan(15)
  expect(entries.filter((entry) => !list.includes(entry))).toEqual([])
})
