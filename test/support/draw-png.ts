/** Draws a picture as PNG, from the colour of each of its pixels. */
import { crc32, deflateSync } from 'node:zlib'

export interface Pixels {
  width: number
  height: number
  /** Red, green and blue, 0 to 255 each. */
  colour: (x: number, y: number) => readonly [number, number, number]
}

export function drawPng({ width, height, colour }: Pixels): Buffer {
  const line = 1 + width * 3
  const rows = Buffer.alloc(height * line)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(colour(x, y), y * line + 1 + x * 3)
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 2], 8)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([
    signature,
    chunk('IHDR', size),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
