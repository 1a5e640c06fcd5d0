/** Addresses where the service's program may listen on this computer. Pure. */
import { basename, isAbsolute, join } from 'node:path'

/** Number of programs that may run at once: the stable one, a preview, a second account. */
const COUNT = 10
/** Variables that name a folder for sockets, in the order in which the program looks. */
const VARIABLES = ['XDG_RUNTIME_DIR', 'TMPDIR', 'TMP', 'TEMP'] as const

/** Names of folders in which a sandboxed program has its socket: `app/<id>` by Flatpak, `snap.<name>` by Snap. */
const SANDBOX = /^(?:app\/[\w.-]{1,128}|snap\.[\w.-]{1,128})$/

/** Computer, as far as addresses depend on it. */
export interface Machine {
  /** `process.platform`. */
  platform: string
  /** `process.env`. */
  env: Readonly<Record<string, string | undefined>>
}

/** Folders for sockets, without duplicates. Relative ones are ignored, since they depend on where the game was started. */
export function socketFolders({ env }: Machine): string[] {
  const named = VARIABLES.map((name) => env[name] ?? '').filter((folder) => isAbsolute(folder))
  return [...new Set([...named, '/tmp'])]
}

/** True for the folder of a sandboxed program, relative to a folder for sockets. */
export const isSandboxFolder = (name: string): boolean => SANDBOX.test(name)

/** Addresses in one folder, in the order in which they are tried. On Windows a pipe has no folder; `folder` then is a part of its name. */
export function addressesIn(folder: string | undefined, brand: string, { platform }: Machine): string[] {
  const numbers = Array.from({ length: COUNT }, (_, number) => number)
  if (platform !== 'win32') return numbers.map((number) => join(folder ?? '/tmp', `${brand}-ipc-${number}`))
  const prefix = folder === undefined ? '' : `${basename(folder)}-`
  return numbers.map((number) => `\\\\?\\pipe\\${prefix}${brand}-ipc-${number}`)
}
