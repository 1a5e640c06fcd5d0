/** A desk for each test of a file. */
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { PackedPackage } from '../packed-package'
import { Sandbox } from './sandbox'
import type { SandboxOptions } from './sandbox-environment'
import { packGame } from './pack-game'

/** Registers the hooks of the calling file; the result sets the desk of a test. */
export function useSandbox(): (options?: SandboxOptions) => Promise<Sandbox> {
  let packed: PackedPackage
  let desk: Sandbox | undefined
  beforeAll(() => {
    packed = packGame()
  })
  afterAll(() => packed[Symbol.dispose]())
  afterEach(async () => {
    await desk?.close()
    desk = undefined
  })
  return async (options = {}) => {
    desk = await Sandbox.set(packed, options)
    return desk
  }
}
