/** Validation of request bodies: the problems that a field can have, and the context that collects them. */

export interface ValidationProblem {
  code: string
  message: string
  rule: string
}

export type Path = readonly (string | number)[]

export interface ValidationError extends ValidationProblem {
  path: Path
}

/** A path in a request body, and the shared list of errors in that body. */
export class ValidationContext {
  readonly errors: ValidationError[]
  readonly path: Path

  constructor(errors: ValidationError[], path: Path = []) {
    this.errors = errors
    this.path = path
  }

  at(key: string | number): ValidationContext {
    return new ValidationContext(this.errors, [...this.path, key])
  }

  addError(problem: ValidationProblem): void {
    this.errors.push({ ...problem, path: this.path })
  }
}

export const REQUIRED: ValidationProblem = {
  code: 'BASE_TYPE_REQUIRED',
  message: 'This field is required',
  rule: 'is required',
}
export const NOT_TEXT: ValidationProblem = {
  code: 'STRING_TYPE_CONVERT',
  message: 'Could not interpret value as string.',
  rule: 'must be a string',
}
export const NOT_BOOLEAN: ValidationProblem = {
  code: 'BOOLEAN_TYPE_CONVERT',
  message: 'Must be either true or false.',
  rule: 'must be true or false',
}
export const NOT_INTEGER: ValidationProblem = {
  code: 'NUMBER_TYPE_COERCE',
  message: 'Value is not int.',
  rule: 'must be a whole number',
}
export const NOT_NUMBER: ValidationProblem = {
  code: 'NUMBER_TYPE_COERCE',
  message: 'Value is not float.',
  rule: 'must be a number',
}
export const NOT_SNOWFLAKE: ValidationProblem = {
  code: 'NUMBER_TYPE_COERCE',
  message: 'Value is not snowflake.',
  rule: 'must be a snowflake: a 64-bit number in decimal digits, written as a string',
}
export const NOT_LIST: ValidationProblem = {
  code: 'LIST_TYPE_CONVERT',
  message: 'Only iterables may be used in a ListType',
  rule: 'must be a list',
}
export const NOT_DICTIONARY: ValidationProblem = {
  code: 'DICT_TYPE_CONVERT',
  message: 'Only dictionaries may be used in a DictType',
  rule: 'must be an object of texts by locale',
}
export const NOT_OBJECT: ValidationProblem = {
  code: 'MODEL_TYPE_CONVERT',
  message: 'Only dictionaries may be used in a ModelType',
  rule: 'must be an object',
}
export const REPEATED: ValidationProblem = {
  code: 'SET_TYPE_ALREADY_CONTAINS_VALUE',
  message: 'The set already contains this value',
  rule: 'must not repeat an earlier item',
}
export const TOO_LARGE: ValidationProblem = {
  code: 'APPLICATION_COMMAND_TOO_LARGE',
  message: 'Command exceeds maximum size (8000)',
  rule: 'names, descriptions and values together must have at most 8000 characters',
}
export const EMPTY: ValidationProblem = {
  code: 'BASE_TYPE_MIN_LENGTH',
  message: 'Must be 1 or more in length.',
  rule: 'must not be an empty list',
}

export function badLength(smallest: number, largest: number): ValidationProblem {
  return {
    code: 'BASE_TYPE_BAD_LENGTH',
    message: `Must be between ${smallest} and ${largest} in length.`,
    rule: `must have ${smallest} to ${largest} characters`,
  }
}

export function tooMany(largest: number): ValidationProblem {
  return {
    code: 'BASE_TYPE_MAX_LENGTH',
    message: `Must be ${largest} or fewer in length.`,
    rule: `must have at most ${largest} items`,
  }
}

export function oneOf(values: readonly number[]): ValidationProblem {
  return {
    code: 'BASE_TYPE_CHOICES',
    message: `Value must be one of (${values.join(', ')}).`,
    rule: `must be one of ${values.join(', ')}`,
  }
}

export function outside(smallest: number, largest: number): ValidationProblem {
  return {
    code: 'NUMBER_TYPE_RANGE',
    message: `Value should be between ${smallest} and ${largest}.`,
    rule: `must be from ${smallest} to ${largest}`,
  }
}

/** A field, or a value, that is not allowed at this path. */
export function misplaced(rule: string): ValidationProblem {
  return { code: 'APPLICATION_COMMAND_INVALID_FIELD', message: `This field ${rule}.`, rule }
}

export function nameTaken(name: string): ValidationProblem {
  return {
    code: 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
    message: `Option name ${name} is already used in these options`,
    rule: 'must differ from the other option names beside it',
  }
}

/** Builds the service's error tree: field names and indexes, with `_errors` at the leaves. */
export function errorTree(faults: readonly ValidationError[]): Record<string, unknown> {
  const tree = branch()
  for (const { path, code, message } of faults) {
    let node = tree
    // A locale may be named `_errors` as well: report its problem at the parent.
    for (const key of path.filter((part) => part !== '_errors')) node = child(node, String(key))
    const leaf = node['_errors']
    if (Array.isArray(leaf)) leaf.push({ code, message })
    else node['_errors'] = [{ code, message }]
  }
  return tree
}

/** Without a prototype, so that a field named `__proto__` is an ordinary field. */
function branch(): Record<string, unknown> {
  return Object.setPrototypeOf({}, null)
}

function child(node: Record<string, unknown>, key: string): Record<string, unknown> {
  const found = node[key]
  if (isBranch(found)) return found
  const made = branch()
  node[key] = made
  return made
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `options[3].choices[0].name`, `name_localizations['de']`. */
export function pathText(path: Path): string {
  const text = path.map((part, index) => {
    if (typeof part === 'number') return `[${part}]`
    return /(?:_localizations|metadata)$/.test(String(path[index - 1]))
      ? `['${part.replaceAll(/['\\]/g, '\\$&')}']`
      : `.${part}`
  })
  return text.join('').replace(/^\./, '')
}
