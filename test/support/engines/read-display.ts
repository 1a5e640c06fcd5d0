/** Reads what an X display shows from a dump (X11, `XWDFile.h`), as Xvfb keeps it with `-fbdir`. */
import type { Pixels } from '../draw-png'

/** Offsets of 32-bit numbers in the header. */
const HEADER_SIZE = 0
const WIDTH = 16
const HEIGHT = 20
const BYTES_PER_LINE = 48
const COLOURS = 76
/** Bytes of one entry of the list of colours. */
const COLOUR = 12

/** @param dump with 4 bytes for each pixel: blue, green, red, and one without meaning. */
export function readDisplay(dump: Buffer): Pixels {
  const [width, height, line] = [
    dump.readUInt32BE(WIDTH),
    dump.readUInt32BE(HEIGHT),
    dump.readUInt32BE(BYTES_PER_LINE),
  ]
  const start = dump.readUInt32BE(HEADER_SIZE) + dump.readUInt32BE(COLOURS) * COLOUR
  const at = (x: number, y: number) => start + y * line + x * 4
  return {
    width,
    height,
    colour: (x, y) => [dump[at(x, y) + 2] ?? 0, dump[at(x, y) + 1] ?? 0, dump[at(x, y)] ?? 0],
  }
}
