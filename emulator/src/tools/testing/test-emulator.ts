/** An emulator for many tests, each of which begins in the same state. */
import { requestLine } from '../cli/request-line.js'
import { createEmulator, type EmulatorOptions } from '../../emulator/create-emulator.js'
import type { Emulator, EmulatorUser } from '../../api/control/emulator.js'
import { EmulatorError } from '../../foundation/emulator-error.js'

/** Options of the emulator of a game's tests. */
export interface TestEmulatorOptions extends EmulatorOptions {
  /** As `EmulatorOptions.commands`, but `globalDelay` is 0 by default. */
  commands?: EmulatorOptions['commands']
  /** Prepares the state with which each test begins, for example commands. Called once. */
  prepare?: ((emulator: Emulator) => unknown) | undefined
}

export interface TestEmulator {
  readonly emulator: Emulator
  /** Restores the state with which each test begins: lobbies, sign-ins, clock, faults, limits and log. */
  restore(): void
}

export async function createTestEmulator({
  prepare,
  ...options
}: TestEmulatorOptions = {}): Promise<TestEmulator> {
  // A test uses a command right after it has registered it.
  const commands = { globalDelay: 0, ...options.commands }
  const emulator = await createEmulator({ ...options, commands })
  await prepare?.(emulator)
  const start = emulator.snapshot()
  return {
    emulator,
    restore() {
      emulator.reset()
      emulator.restore(start)
      emulator.limits(options.limits ?? 'production')
    },
  }
}

/** The first players of the seed. @throws EmulatorError `unknown_user` if there are not so many. */
export function firstPlayers({ users }: Emulator, count: number): EmulatorUser[] {
  if (count <= users.length) return users.slice(0, count)
  throw new EmulatorError(
    'unknown_user',
    `There are ${users.length} players, and the test asks for ${count}: add some to the seed`,
  )
}

/** The request log as text, one line for a request, with the rule that refused it. */
export function describeRequests({ requests }: Emulator): string {
  return (
    requests.map((request) => requestLine(request, { colour: false })).join('\n') || 'No request arrived.'
  )
}
