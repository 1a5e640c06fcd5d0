/** Tells whether a socket belongs to this user: anybody may create one in a folder such as `/tmp`. */
import { lstat, realpath } from 'node:fs/promises'

/** Socket of this user. */
export interface OwnSocket {
  /** Path without links. */
  readonly path: string
  /** Changes when another socket takes its place. */
  readonly identity: string
}

/** `none`: there is no socket. `foreign`: it, or a link on the way, belongs to another user. */
export type SocketFinding = OwnSocket | 'none' | 'foreign'

/**
 * Reads the owner of a socket, without connecting to it. The owner of a pipe of Windows cannot be read without native code, so each counts as
 * this user's: see docs/threats.md.
 */
export async function findSocket(path: string, platform: string): Promise<SocketFinding> {
  if (platform === 'win32') return { path, identity: path }
  try {
    const link = await lstat(path)
    if (!isOwn(link)) return 'foreign'
    const target = link.isSymbolicLink() ? await realpath(path) : path
    const stats = link.isSymbolicLink() ? await lstat(target) : link
    if (!stats.isSocket()) return 'none'
    return isOwn(stats) ? { path: target, identity: `${stats.dev} ${stats.ino}` } : 'foreign'
  } catch {
    return 'none'
  }
}

const isOwn = ({ uid }: { uid: number }): boolean => uid === process.getuid?.()
