/** Emulator that the dev servers of one project share, so that a restart of the server keeps address and sign-ins. */
import type { RunningEmulator } from './running-emulator'

/** Settings with the seed's content: an emulator serves for as long as they stay the same. */
export interface SharedSettings {
  readonly port: number
  readonly seed: Record<string, unknown>
  readonly state?: string | undefined
}

/** Starts an emulator, on another port while the wanted one is busy. */
export type StartEmulator = (settings: SharedSettings) => Promise<RunningEmulator>

interface Shared {
  settings: SharedSettings
  emulator: RunningEmulator
  /** Plugins of the dev servers that use it: at a restart, for a moment, those of two. */
  readonly users: Set<object>
}

/** The emulators of this process, by the root of their project. Vite may load the plugin's code anew at a restart. */
const REGISTRY = Symbol.for('foyer-sdk/vite')

function registry(): Map<string, Shared> {
  const found: unknown = Reflect.get(globalThis, REGISTRY)
  if (found instanceof Map) return found
  const created = new Map<string, Shared>()
  Reflect.set(globalThis, REGISTRY, created)
  return created
}

/**
 * Returns the project's emulator. Changed settings replace it on the same port, with its sign-ins unless the seed changed; settings with
 * which none can start leave the old one running, and reject.
 */
export async function shareEmulator(
  root: string,
  settings: SharedSettings,
  start: StartEmulator,
): Promise<RunningEmulator> {
  const shared = registry().get(root)
  if (!shared) {
    const emulator = await start(settings)
    registry().set(root, { settings, emulator, users: new Set() })
    return emulator
  }
  if (!isSame(shared.settings, settings)) await replace(shared, settings, start)
  return shared.emulator
}

/** Notes that a dev server uses the project's emulator. */
export function useEmulator(root: string, user: object): void {
  registry().get(root)?.users.add(user)
}

/** Closes the project's emulator, unless another dev server has taken over. */
export async function leaveEmulator(root: string, user: object): Promise<void> {
  const shared = registry().get(root)
  if (!shared?.users.delete(user) || shared.users.size > 0) return
  registry().delete(root)
  await shared.emulator.close()
}

const isSame = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** Two emulators cannot have one port and one state file: the old one ends first, and comes back if the new one cannot start. */
async function replace(shared: Shared, settings: SharedSettings, start: StartEmulator): Promise<void> {
  const { emulator, settings: old } = shared
  const snapshot = emulator.snapshot()
  const begin = async (wanted: SharedSettings): Promise<void> => {
    const port = wanted.port === old.port ? Number(new URL(emulator.url).port) : wanted.port
    shared.emulator = await start({ ...wanted, port })
    if (wanted.state === undefined && isSame(wanted.seed, old.seed)) shared.emulator.restore(snapshot)
    shared.settings = wanted
  }
  await emulator.close()
  try {
    await begin(settings)
  } catch (error) {
    await begin(old)
    throw error
  }
}
