/** Small private file with atomic replacement: after a power failure, either the old or the new content is complete. */
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { systemClock } from '../../shared/foundation/clock'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { randomText } from '../../shared/foundation/crypto'

/** Maximum size in bytes; larger files are not from this SDK. */
const MAX_SIZE = 8 * 1024 * 1024
/** Error codes on Windows while a virus scanner or an indexer has the file open. */
const IN_USE: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY'])
/** Delays in ms between attempts to replace the file. */
const RETRY_DELAYS = [20, 50, 100, 200, 400]

/** Returns undefined if the file does not exist. Rejects with the errors of `node:fs`. */
export async function readPrivateFile(path: string): Promise<Buffer | undefined> {
  try {
    const { size } = await stat(path)
    return size > MAX_SIZE ? Buffer.alloc(0) : await readFile(path)
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return undefined
    throw error
  }
}

/** Rejects with the errors of `node:fs`; the old file then stays. */
export async function writePrivateFile(path: string, content: Buffer): Promise<void> {
  const temporary = `${path}.${randomText().slice(0, 8)}.tmp`
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeThrough(temporary, content)
    await replaceFile(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Removes temporary files of processes that ended during a write. Never rejects. */
export async function removeLeftovers(path: string): Promise<void> {
  const names = await readdir(dirname(path)).catch(() => [])
  const left = names.filter((name) => name.startsWith(`${basename(path)}.`) && name.endsWith('.tmp'))
  await Promise.all(left.map((name) => rm(join(dirname(path), name), { force: true }).catch(() => undefined)))
}

async function replaceFile(temporary: string, path: string): Promise<void> {
  for (const pause of RETRY_DELAYS) {
    try {
      return await rename(temporary, path)
    } catch (error) {
      if (!isRecord(error) || !IN_USE.has(error['code'])) throw error
    }
    await new Promise<void>((go) => void systemClock.after(pause, go))
  }
  return rename(temporary, path)
}

async function writeThrough(path: string, content: Buffer): Promise<void> {
  // `wx`: fails if the path exists, so it never follows a planted link.
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Flushes the directory entry. Windows neither supports nor requires it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}
