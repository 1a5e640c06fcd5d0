/** Virtual list of the inspector: the rows in view, and the row that a key selects. */
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyTarget, shownRange } from 'kit/virtual-range'

describe('the rows of a virtual list', () => {
  it('are those in view with a margin, and none outside of the list', () => {
    expect(shownRange({ top: 0, height: 560, row: 56, length: 5000 })).toEqual({ from: 0, to: 18 })
    expect(shownRange({ top: 5600, height: 560, row: 56, length: 5000 })).toEqual({ from: 92, to: 118 })
    expect(shownRange({ top: 0, height: 560, row: 56, length: 3 })).toEqual({ from: 0, to: 3 })
  })

  it('cover the view for any scroll position, and stay few', () => {
    const view = fc.record({
      top: fc.nat(300_000),
      height: fc.nat(2000),
      row: fc.integer({ min: 20, max: 200 }),
      length: fc.nat(6000),
    })
    fc.assert(
      fc.property(view, (given) => {
        const { from, to } = shownRange(given)
        const firstInView = Math.min(given.length, Math.floor(given.top / given.row))
        const lastInView = Math.min(given.length, Math.ceil((given.top + given.height) / given.row))
        expect(from).toBeGreaterThanOrEqual(0)
        expect(from).toBeLessThanOrEqual(firstInView)
        expect(to).toBeGreaterThanOrEqual(lastInView)
        expect(to).toBeLessThanOrEqual(given.length)
        expect(to - from).toBeLessThanOrEqual(Math.ceil(given.height / given.row) + 16)
      }),
    )
  })

  it('are reached by the keys of a list box', () => {
    const at = { at: 10, length: 100, page: 9 }
    const keys = ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End', 'a']
    expect(keys.map((key) => keyTarget(key, at))).toEqual([11, 9, 19, 1, 0, 99, undefined])
    expect(keyTarget('ArrowDown', { at: -1, length: 100, page: 9 })).toBe(0)
    expect(keyTarget('ArrowDown', { at: 99, length: 100, page: 9 })).toBe(99)
    expect(keyTarget('End', { at: -1, length: 0, page: 9 })).toBeUndefined()
  })
})
