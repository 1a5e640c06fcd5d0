/** Tests that cannot run in an engine state the reason. */
import { expect, it } from 'vitest'
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
