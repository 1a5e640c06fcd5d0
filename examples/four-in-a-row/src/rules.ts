// The rules of the board. A game is the list of the columns that were played, in order. Red plays first.
export const COLUMNS = 7
export const ROWS = 6

export type Disc = { column: number; row: number; color: 'red' | 'gold' }

/** Steps from one disc of a line to the next one: to the right, up, and along both diagonals. */
const DIRECTIONS = [
  { right: 1, up: 0 },
  { right: 0, up: 1 },
  { right: 1, up: 1 },
  { right: 1, up: -1 },
]

/** The discs on the board, the oldest first. Row 0 is at the bottom. */
export function discs(moves: readonly number[]): Disc[] {
  const heights: number[] = Array(COLUMNS).fill(0)
  return moves.map((column, index) => {
    const row = heights[column]
    heights[column] = row + 1
    return { column, row, color: index % 2 === 0 ? 'red' : 'gold' }
  })
}

/** True if there is such a column, and a disc fits into it. */
export function isFree(moves: readonly number[], column: number): boolean {
  const isColumn = Number.isInteger(column) && column >= 0 && column < COLUMNS
  const height = moves.filter((each) => each === column).length
  return isColumn && height < ROWS
}

/** The four discs that have won, from one end of their line to the other, or an empty list. */
export function winningDiscs(moves: readonly number[]): Disc[] {
  const all = discs(moves)
  for (const disc of all) {
    for (const direction of DIRECTIONS) {
      const line = lineFrom(disc, direction, all)
      if (line.length === 4) return line
    }
  }
  return []
}

/** At most four discs of one color, which begin with this one and go on in this direction. */
function lineFrom(first: Disc, direction: { right: number; up: number }, all: readonly Disc[]): Disc[] {
  const line: Disc[] = []
  for (let step = 0; step < 4; step++) {
    const column = first.column + step * direction.right
    const row = first.row + step * direction.up
    const next = all.find((disc) => disc.color === first.color && disc.column === column && disc.row === row)
    if (!next) return line
    line.push(next)
  }
  return line
}
