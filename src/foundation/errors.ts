/** Every error of the SDK: one class for each thing the caller can do about it, one stable `code` for each cause (docs/errors.md). */
// Together stand those that are met together, so that a game loads the ones it can meet.
export * from './error/authorization'
export * from './error/base'
export * from './error/configuration'
export * from './error/rate-limit'
export * from './error/request'
export * from './error/session'
export * from './error/validation'
