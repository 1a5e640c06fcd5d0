/** All errors of the SDK: one class for each kind of reaction, one stable `code` for each cause (docs/errors.md). */
export type * from './error/codes'
export * from './error/common'
export type * from './error/issue'
export * from './error/rate-limit'
export * from './error/validation'
