// The rules: a board is the list of the columns that were played, in order. Red plays first.
export const COLUMNS = 7
export const ROWS = 6

export type Disc = { column: number; row: number; color: 'red' | 'gold' }

/** Discs as `{ column, row, color }`, oldest first; row 0 is at the bottom. */
export function discs(moves: readonly number[]): Disc[] {
  const heights: number[] = Array(COLUMNS).fill(0)
  return moves.map((column, index) => ({ column, row: heights[column]++, color: index % 2 === 0 ? 'red' : 'gold' }))
}

export const isFree = (moves: readonly number[], column: number) =>
  Number.isInteger(column) && column >= 0 && column < COLUMNS && moves.filter((each) => each === column).length < ROWS

/** The four discs that have won, or an empty list. */
export function winningDiscs(moves: readonly number[]): Disc[] {
  const all = discs(moves)
  const at = (column: number, row: number, color: string) =>
    all.find((disc) => disc.column === column && disc.row === row && disc.color === color)
  const four = (disc: Disc, x: number, y: number) => [0, 1, 2, 3].map((step) => at(disc.column + x * step, disc.row + y * step, disc.color))
  const fours = all.flatMap((disc) => [four(disc, 1, 0), four(disc, 0, 1), four(disc, 1, 1), four(disc, 1, -1)])
  return fours.find((each) => each.every((disc) => disc !== undefined)) ?? []
}
