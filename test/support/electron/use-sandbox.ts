/** A sandbox for each test of a file. */
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { PackedPackage } from '../packed-package'
import { Sandbox } from './sandbox'
import type { SandboxOptions } from './sandbox-environment'
import { packGame } from './pack-game'

/** Registers the hooks of the calling file. Returns a function that creates the sandbox of a test. */
export function useSandbox(): (options?: SandboxOptions) => Promise<Sandbox> {
  let packed: PackedPackage
  let sandbox: Sandbox | undefined
  beforeAll(() => {
    packed = packGame()
  })
  afterAll(() => packed[Symbol.dispose]())
  afterEach(async () => {
    await sandbox?.close()
    sandbox = undefined
  })
  return async (options = {}) => {
    sandbox = await Sandbox.create(packed, options)
    return sandbox
  }
}
