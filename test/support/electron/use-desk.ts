/** A desk for each test of a file. */
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { Packed } from '../packed'
import { Desk } from './desk'
import type { DeskOptions } from './desk-environment'
import { packGame } from './pack-game'

/** Registers the hooks of the calling file; the result sets the desk of a test. */
export function useDesk(): (options?: DeskOptions) => Promise<Desk> {
  let packed: Packed
  let desk: Desk | undefined
  beforeAll(() => {
    packed = packGame()
  })
  afterAll(() => packed[Symbol.dispose]())
  afterEach(async () => {
    await desk?.close()
    desk = undefined
  })
  return async (options = {}) => {
    desk = await Desk.set(packed, options)
    return desk
  }
}
