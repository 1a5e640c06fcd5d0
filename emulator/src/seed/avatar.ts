/** Generates a player's avatar from the id alone: equal on every machine. */

/** SVG of a mirrored 5 by 5 pattern on a coloured background. */
export function avatar(id: string): string {
  const bits = scramble(BigInt(id))
  const hue = Number(bits % 360n)
  const cells = Array.from({ length: 15 }, (_, index) => ((bits >> BigInt(16 + index)) & 1n) === 1n)
  const squares = cells.flatMap((filled, index) => (filled ? mirrored(index % 3, Math.floor(index / 3)) : []))
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80" width="80" height="80">',
    `<rect width="80" height="80" fill="hsl(${hue} 55% 34%)"/>`,
    `<path fill="hsl(${hue} 80% 86%)" d="${squares.join('')}"/>`,
    '</svg>',
  ].join('')
}

function mirrored(column: number, row: number): string[] {
  const columns = column === 2 ? [2] : [column, 4 - column]
  return columns.map((x) => `M${15 + x * 10} ${15 + row * 10}h10v10h-10z`)
}

/** Neighbouring ids differ in few bits; multiplying by a large odd number spreads them (SplitMix64's finalizer). */
function scramble(id: bigint): bigint {
  let bits = BigInt.asUintN(64, id * 0x9e3779b97f4a7c15n)
  bits = BigInt.asUintN(64, (bits ^ (bits >> 30n)) * 0xbf58476d1ce4e5b9n)
  return bits ^ (bits >> 31n)
}
