/** `foyer-emulator drift`: compares the emulator with a service's OpenAPI document. */
import { readFile } from 'node:fs/promises'
import { findDrift } from '../drift/find-drift.js'
import { decisionsOf } from '../drift/judge-answer.js'
import { printDrift } from '../drift/print-drift.js'
import { EmulatorError } from '../foundation/emulator-error.js'

export interface DriftCommand {
  openapi: string
  brand: string | undefined
  /** File of accepted differences. */
  accept: string | undefined
  json: boolean
}

/** @returns the exit code: 1 for a difference that no decision accepts. */
export async function drift({ openapi, brand, accept, json }: DriftCommand): Promise<number> {
  const decisions = accept === undefined ? {} : decisionsOf(await readJson(accept))
  const report = await findDrift({ openapi, brand, decisions, onProgress })
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : printDrift(report))
  return report.drifts.some(({ accepted }) => accepted === undefined) ? 1 : 0
}

function onProgress({ done, total, operation }: { done: number; total: number; operation: string }): void {
  process.stderr.write(`${done + 1}/${total} ${operation}\n`)
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    throw new EmulatorError('bad_request', `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}
