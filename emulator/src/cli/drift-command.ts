/** `foyer-emulator drift`: compares the emulator with a service's OpenAPI document, or with a running service. */
import { readFile } from 'node:fs/promises'
import { compareWithService } from '../drift/compare-with-service.js'
import { findDrift } from '../drift/find-drift.js'
import { decisionsOf } from '../drift/judge-response.js'
import { printComparison, printDrift } from '../drift/print-drift.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import { readTarget } from './read-target.js'

export interface DriftCommand {
  source: DriftSource
  /** File of accepted differences. */
  accept: string | undefined
  json: boolean
}

/** A document, or a running service with the file that holds the application's credentials. */
export type DriftSource = { openapi: string; brand: string | undefined } | { against: string; envFile: string }

/** @returns the exit code: 1 for a difference that no decision accepts, or a step that could not be compared. */
export async function drift({ source, accept, json }: DriftCommand): Promise<number> {
  const decisions = accept === undefined ? {} : decisionsOf(await readJson(accept))
  if ('against' in source) {
    const comparison = await compareWithService(readTarget(source), decisions)
    process.stdout.write(json ? `${JSON.stringify(comparison)}\n` : printComparison(comparison))
    return comparison.skipped.length > 0 || comparison.differences.some(isOpen) ? 1 : 0
  }
  const report = await findDrift({ ...source, decisions, onProgress })
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : printDrift(report))
  return report.drifts.some(isOpen) ? 1 : 0
}

const isOpen = ({ accepted }: { accepted: string | undefined }): boolean => accepted === undefined

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
