/** All errors of the SDK: one class for each kind of reaction, one stable `code` for each cause (docs/errors.md). */
export type * from './error/error-code'
export * from './error/error-classes'
export type * from './error/error-details'
export type * from './error/issue'
export type * from './error/player-error-code'
export * from './error/rate-limit-error'
export * from './error/validation-error'
