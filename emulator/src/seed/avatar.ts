/** Generates a player's avatar from the id alone: equal on every machine. */

/** The hue, and which cells of the 5 by 5 pattern are filled; the left half is mirrored. */
export function avatarPattern(seed: bigint): { hue: number; filled: (column: number, row: number) => boolean } {
  const bits = scramble(seed)
  const filled = (column: number, row: number) =>
    isInside(column) && isInside(row) && ((bits >> BigInt(16 + row * 3 + Math.min(column, 4 - column))) & 1n) === 1n
  return { hue: Number(bits % 360n), filled }
}

const isInside = (place: number): boolean => place >= 0 && place < 5

/** SVG of the pattern on a coloured background. */
export function avatar(id: string): string {
  const { hue, filled } = avatarPattern(BigInt(id))
  const places = Array.from({ length: 25 }, (_, index) => ({ column: index % 5, row: Math.floor(index / 5) }))
  const squares = places.filter(({ column, row }) => filled(column, row))
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 80" width="80" height="80">',
    `<rect width="80" height="80" fill="hsl(${hue} 55% 34%)"/>`,
    `<path fill="hsl(${hue} 80% 86%)" d="${squares.map(({ column, row }) => `M${15 + column * 10} ${15 + row * 10}h10v10h-10z`).join('')}"/>`,
    '</svg>',
  ].join('')
}

/** Neighbouring ids differ in few bits; multiplying by a large odd number spreads them (SplitMix64's finalizer). */
function scramble(id: bigint): bigint {
  let bits = BigInt.asUintN(64, id * 0x9e3779b97f4a7c15n)
  bits = BigInt.asUintN(64, (bits ^ (bits >> 30n)) * 0xbf58476d1ce4e5b9n)
  return bits ^ (bits >> 31n)
}
