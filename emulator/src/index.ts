/** foyer-emulator: the service that Foyer talks to, on one machine. */
export { createEmulator } from './emulator.js'
export type { Emulator, EmulatorApplication, EmulatorOptions, EmulatorUser } from './emulator.js'
export { EmulatorError, type EmulatorErrorCode } from './error.js'
export type { FaultEffect, FaultRule } from './faults/fault-rule.js'
export type { FaultMark } from './faults/suffer.js'
export type { LoggedRequest } from './http/request-log.js'
export type { Choice } from './press/press.js'
export type { SeedInput } from './seed/seed.js'
