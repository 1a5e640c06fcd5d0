/** One small file that only its owner reads: replaced as a whole, so that a power cut leaves the old one or the new one. */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemClock } from '../../foundation/clock'
import { isRecord } from '../../foundation/encoding'
import { randomText } from '../../foundation/random'

/** Bytes; more than that was not written by us. */
const MAX_SIZE = 8 * 1024 * 1024
/** What Windows says of a file that a virus scanner or an indexer has open. */
const HELD: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY'])
/** ms between two tries to take its place: it is a matter of moments. */
const PAUSES = [20, 50, 100, 200, 400]

/** Undefined when there is none. Rejects as Node's own calls do. */
export async function readPrivateFile(path: string): Promise<Buffer | undefined> {
  try {
    const { size } = await stat(path)
    return size > MAX_SIZE ? Buffer.alloc(0) : await readFile(path)
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return undefined
    throw error
  }
}

/** Rejects as Node's own calls do; the old file then stands. */
export async function writePrivateFile(path: string, content: Buffer): Promise<void> {
  const temporary = `${path}.${randomText().slice(0, 8)}.tmp`
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeThrough(temporary, content)
    await takePlace(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Removes what a process has left that ended in the middle of a write. Never rejects. */
export async function removeLeftovers(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => [])
  const left = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'))
  await Promise.all(left.map((name) => rm(join(dirname(path), name), { force: true }).catch(() => undefined)))
}

async function takePlace(temporary: string, path: string): Promise<void> {
  for (const pause of PAUSES) {
    try {
      return await rename(temporary, path)
    } catch (error) {
      if (!isRecord(error) || !HELD.has(error['code'])) throw error
    }
    await new Promise<void>((go) => void systemClock.after(pause, go))
  }
  return rename(temporary, path)
}

async function writeThrough(path: string, content: Buffer): Promise<void> {
  // `wx`: never through a link that someone else has put there.
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The new name itself reaches the disk; Windows has no such call, and needs none. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}
