/** Foyer for game backends: application commands, their permissions, their texts. A table of contents and nothing else. */

// Checks without a network
export { measureCommand } from '../commands/size'
export type { CommandSize } from '../commands/size'
export { validateCommand, validateCommands } from '../commands/validation'
export type { ValidateCommandOptions, ValidateCommandsOptions } from '../commands/validation'
export { validatePermissions } from '../commands/permission-validation'
export type { ValidatePermissionsOptions } from '../commands/permission-validation'
export type { CommandIssueCode } from '../commands/issue'
export type { Issue } from '../foundation/errors'
