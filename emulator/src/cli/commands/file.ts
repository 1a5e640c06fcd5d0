/** Reads command definitions from a file: JSON, JavaScript or TypeScript. */
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { createJiti } from 'jiti'
import { fieldsOf } from '../../foundation/decode.js'
import { UsageError } from '../arguments.js'

/** The list that a file holds, or exports as its default. Unchecked but for being a list; what `defineCommand` made counts as its definition. @throws UsageError with what is wrong, in one line. */
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

/** What `defineCommand` gives holds its definition beside the handlers. */
function definitionOf(command: unknown): unknown {
  const { definition, routes } = fieldsOf(command)
  return routes instanceof Map ? definition : command
}

async function read(path: string): Promise<unknown> {
  // Some editors begin a file with a mark that is none of JSON's.
  if (extname(path) === '.json') return JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''))
  // Node loads TypeScript by itself only since 22.18.
  return createJiti(import.meta.url).import(path, { default: true })
}
