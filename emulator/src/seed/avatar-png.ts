/** Pictures as PNG (ISO 15948), which games can load into textures: a pattern of two colours. */
import { deflateSync } from 'node:zlib'
import { avatarPattern } from './avatar.js'

const SIZE = 80
/** Width of the border, and of one of the five by five cells. */
const BORDER = 15
const CELL = 10

/** PNG of a seed: the id of a player with a picture of its own, or the number of a default picture. */
export function avatarPng(seed: bigint): Buffer {
  const { hue, filled } = avatarPattern(seed)
  const rows = Array.from({ length: SIZE }, (_, y) => {
    const row = Buffer.alloc(1 + SIZE)
    for (let x = 0; x < SIZE; x++) row[1 + x] = filled(Math.floor((x - BORDER) / CELL), Math.floor((y - BORDER) / CELL)) ? 1 : 0
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
