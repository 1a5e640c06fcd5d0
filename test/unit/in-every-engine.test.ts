/** Tests that cannot run in an engine state the reason, and a run can be limited to one engine. */
import { expect, it } from 'vitest'
import { chosenEngines } from '../support/engines/chosen-engines'
import { reasonAgainst } from '../support/engines/in-every-engine'

const own = { name: 'WebKit', title: 'bfcache' } as const

it('a test without exceptions runs', () => {
  expect(reasonAgainst(own)).toBe(undefined)
  expect(reasonAgainst(own, { notIn: { Firefox: 'no such API' } })).toBe(undefined)
})

it('an exception has a reason', () => {
  expect(reasonAgainst(own, { notIn: { WebKit: 'no such API' } })).toBe('no such API')
})

it.each(['', 'no'])('the reason "%s" fails the file', (reason) => {
  expect(() => reasonAgainst(own, { notIn: { WebKit: reason } })).toThrow('needs a reason')
})

it.each([
  [undefined, ['Chromium', 'Firefox', 'WebKit']],
  ['firefox', ['Firefox']],
])('with ENGINE as %s the tests run in %s', (name, expected) => {
  expect(chosenEngines({ ENGINE: name }).map((engine) => engine.name)).toEqual(expected)
})

it.each(['', 'Firefox', 'safari'])('ENGINE cannot be "%s", and the error lists what it can be', (name) => {
  expect(() => chosenEngines({ ENGINE: name })).toThrow('It can be chromium, firefox or webkit.')
})
