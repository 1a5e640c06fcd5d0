/** Detection of lost notes between the processes of a hub. */
import { expect, it } from 'vitest'
import { decodeNumbered, encodeNumbered, NoteCounts } from '../../support/internals'

const note = (number: number, sender = 'a') => ({ sender, number, text: 'x' })
const beat = (number: number, sender = 'a') => ({ sender, number, text: undefined })

/** Feeds messages and returns the indexes at which a gap was noticed. */
function gapsIn(messages: { sender: string; number: number; text: string | undefined }[]): number[] {
  const counts = new NoteCounts()
  return messages.flatMap((message, index) => (counts.isGap(message) ? [index] : []))
}

it('notes and beats survive their encoding, and other messages are ignored', () => {
  for (const given of [
    note(7),
    beat(3),
    { sender: 'a-_9', number: 1, text: 'two\nlines and spaces ' },
    { ...note(1), text: '' },
  ])
    expect(decodeNumbered(encodeNumbered(given))).toEqual(given)
  for (const other of ['', 'a', '{"kind":"lobby"}', 'a x', ' 1', 'a 1x'])
    expect(decodeNumbered(other)).toBe(undefined)
})

it('a lost note is noticed at the second beat after it, once', () => {
  expect(gapsIn([beat(0), note(1), beat(2), beat(2), beat(2), note(3), beat(3), beat(3)])).toEqual([3])
})

it('nothing is lost if notes arrive in another order, or after the beat that announces them', () => {
  expect(
    gapsIn([beat(0), note(2), beat(3), note(1), note(3), beat(3), beat(3), note(4), beat(4), beat(4)]),
  ).toEqual([])
})

it('a late note after a gap does not hide the next loss', () => {
  expect(gapsIn([beat(0), beat(1), beat(1), note(1), beat(2), beat(2)])).toEqual([2, 5])
})

it('senders are counted apart, a new one is no gap, and a silent one is forgotten', () => {
  expect(gapsIn([beat(5), note(8, 'b'), beat(9, 'b'), note(9, 'b'), beat(9, 'b'), beat(5), beat(5)])).toEqual(
    [],
  )
  const counts = new NoteCounts()
  counts.isGap(beat(1))
  for (let i = 0; i < 40; i++) counts.age()
  expect(counts.size).toBe(0)
})
