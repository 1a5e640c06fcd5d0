/** Generates a player's avatar from the id alone: equal on every machine. */
import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'

/** The hue, and which cells of the 5 by 5 pattern are filled; the left half is mirrored. */
function avatarPattern(seed: bigint): { hue: number; filled: (column: number, row: number) => boolean } {
  const bits = scramble(seed)
  const filled = (column: number, row: number) =>
    isInside(column) &&
    isInside(row) &&
    ((bits >> BigInt(16 + row * 3 + Math.min(column, 4 - column))) & 1n) === 1n
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

/** 32 hexadecimal digits, as the service's. */
export function avatarHash(id: string): string {
  return createHash('md5').update(id).digest('hex')
}

const SIZE = 80
/** Width of the border, and of one of the five by five cells. */
const BORDER = 15
const CELL = 10

/** PNG of a seed: the id of a player with a picture of its own, or the number of a default picture. */
export function avatarPng(seed: bigint): Buffer {
  const { hue, filled } = avatarPattern(seed)
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const row = Buffer.alloc(1 + SIZE)
    for (let x = 0; x < SIZE; x++)
      row[1 + x] = filled(Math.floor((x - BORDER) / CELL), Math.floor((y - BORDER) / CELL)) ? 1 : 0
    return row
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  // 8 bits for a pixel, an index into the palette.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from([...rgb(hue, 0.55, 0.34), ...rgb(hue, 0.8, 0.86)])),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff
  for (const byte of bytes) {
    value ^= byte
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0)
  }
  return (value ^ 0xffffffff) >>> 0
}

/** Colour of CSS `hsl()` as three bytes. */
function rgb(hue: number, saturation: number, lightness: number): number[] {
  const strength = saturation * Math.min(lightness, 1 - lightness)
  return [0, 8, 4].map((offset) => {
    const position = (offset + hue / 30) % 12
    return Math.round(255 * (lightness - strength * Math.max(-1, Math.min(position - 3, 9 - position, 1))))
  })
}
