/** Reads command definitions from a file: JSON, JavaScript or TypeScript. */
import { extname, resolve } from 'node:path'
import { createJiti } from 'jiti'
import { readText } from '../../foundation/read-text.js'
import { fieldsOf } from '../../foundation/type-guards.js'
import { UsageError } from '../read-arguments.js'

/**
 * Returns the list in a file, or its default export. Only checks that it is a list; unwraps the result of `defineCommand`.
 * @throws UsageError with a one-line message.
 */
export async function readDefinitions(file: string): Promise<readonly unknown[]> {
  const path = resolve(file)
  let content: unknown
  try {
    content = await read(path)
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`)
  }
  if (!Array.isArray(content)) throw new UsageError(`${file} must hold a list of commands, or export one as its default`)
  return content.map(definitionOf)
}

/** `defineCommand` returns the definition together with its handlers. */
function definitionOf(command: unknown): unknown {
  const { definition, routes } = fieldsOf(command)
  return routes instanceof Map ? definition : command
}

async function read(path: string): Promise<unknown> {
  if (extname(path) === '.json') return JSON.parse(readText(path))
  // Node loads TypeScript natively since 22.18 only.
  return createJiti(import.meta.url).import(path, { default: true })
}
