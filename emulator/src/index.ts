/** foyer-emulator: the service that Foyer talks to, on one machine. */
export { createEmulator } from './emulator.js'
export type { Emulator, EmulatorApplication, EmulatorOptions, EmulatorUser } from './emulator.js'
export type { CommandKnobs } from './commands/knobs.js'
export type { ServiceEvent } from './events.js'
export { EmulatorError, type EmulatorErrorCode } from './error.js'
export type { LoggedRequest } from './http/request-log.js'
export type { Choice } from './press/press.js'
export type { SeedInput } from './seed/seed.js'
