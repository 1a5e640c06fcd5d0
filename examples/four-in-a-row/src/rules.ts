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

/** The four discs that have won, from one end of their line to the other, or an empty list. */
export function winningDiscs(moves: readonly number[]): Disc[] {
  const all = discs(moves)
  const at = (disc: Disc, x: number, y: number) =>
    all.find(({ column, row, color }) => column === disc.column + x && row === disc.row + y && color === disc.color)
  const four = (disc: Disc, [x, y]: number[]) => [0, 1, 2, 3].flatMap((step) => at(disc, x * step, y * step) ?? [])
  const directions = [[1, 0], [0, 1], [1, 1], [1, -1]] // prettier-ignore
  return all.flatMap((disc) => directions.map((each) => four(disc, each))).find(({ length }) => length === 4) ?? []
}
