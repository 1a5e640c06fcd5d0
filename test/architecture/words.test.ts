/** Holds comments and file names against the words that strangers could not read. The ceilings only fall. */
import { describe, expect, test } from 'vitest'
import { readSources } from './source'
import { actsLikeAPerson, commentsOf, isFurniture, opensWithoutSubject } from './words'

/** The parts of the product, with the largest share of their comments that may open without a subject, or let code act like a person. */
const CEILINGS = [
  { folder: 'src', openings: 0.05, persons: 0.03 },
  { folder: 'emulator/src', openings: 0.05, persons: 0.03 },
]

const share = (comments: readonly string[], isBad: (comment: string) => boolean) =>
  comments.filter(isBad).length / comments.length

describe.each(CEILINGS)('the comments of $folder', ({ folder, openings, persons }) => {
  const comments = Object.values(readSources(folder)).flatMap(commentsOf)

  test('begin with a verb or a noun', () => {
    expect(comments.length).toBeGreaterThan(100)
    expect(share(comments, opensWithoutSubject)).toBeLessThanOrEqual(openings)
  })

  test('do not let code act like a person', () => {
    expect(share(comments, actsLikeAPerson)).toBeLessThanOrEqual(persons)
  })
})

test.each(['src', 'emulator', 'demo', 'test/support', 'scripts', 'bench'])(
  'no file of %s is named after furniture or a person',
  (folder) => {
    expect(Object.keys(readSources(folder)).filter(isFurniture)).toEqual([])
  },
)

describe('the counters', () => {
  test('see comments of both kinds, and none inside strings', () => {
    const text = [
      '/** Reads a file. */',
      "const a = '// no comment'",
      '// Which one is',
      '// told later.',
      'const b = `${a} // no comment`',
    ].join('\n')
    expect(commentsOf(text)).toEqual(['Reads a file.', 'Which one is told later.'])
  })

  test('count what they are for', () => {
    expect(opensWithoutSubject('Which one is told later.')).toBe(true)
    expect(opensWithoutSubject('Reads which file is next.')).toBe(false)
    expect(actsLikeAPerson('The bucket knows its limit.')).toBe(true)
    expect(actsLikeAPerson('The bucket has a limit.')).toBe(false)
    expect(isFurniture('src/desktop/main/door.ts')).toBe(true)
    expect(isFurniture('src/client/doorbell.ts')).toBe(false)
    expect(isFurniture('src/server/purchases/create-purchase-desk.ts')).toBe(false)
    expect(isFurniture('src/server/purchases/purchase-room.ts')).toBe(true)
  })
})
