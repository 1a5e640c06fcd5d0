/** Compares the emulator with a service's OpenAPI document. */
import { checkOperation } from './check-operation.js'
import type { DriftReport } from './drift-types.js'
import { createDriftWorld, type Send } from './drift-world.js'
import { distinct, withDecision, withErrorsOnce } from './judge-response.js'
import { readDescription } from './read-description.js'

export interface DriftOptions {
  /** Path of the document, JSON or YAML, or the document itself. */
  openapi: string | object
  /** Word of the service's brand in names of headers and constants; replaced by `service`. */
  brand?: string | undefined
  /** Reason for each accepted difference: `kind operation place`, with `*` for any text. */
  decisions?: Readonly<Record<string, string>>
  /** Default: the global `fetch`. */
  send?: Send
  onProgress?: (progress: { done: number; total: number; operation: string }) => void
}

/** @throws EmulatorError for a document that cannot be read. */
export async function findDrift({ openapi, brand, decisions = {}, send = fetch, onProgress }: DriftOptions): Promise<DriftReport> {
  const description = await readDescription(openapi, brand)
  const world = await createDriftWorld()
  const report: DriftReport = { drifts: [], unreached: [], operations: description.operations.length, requests: 0 }
  try {
    for (const [done, operation] of description.operations.entries()) {
      const name = `${operation.method} ${operation.path}`
      onProgress?.({ done, total: report.operations, operation: name })
      const { drifts, unreached, requests } = await checkOperation(operation, { world, description, send })
      report.drifts.push(...distinct(drifts))
      if (unreached !== undefined) report.unreached.push({ operation: name, reason: unreached })
      report.requests += requests
    }
  } finally {
    await world.close()
  }
  return { ...report, drifts: withErrorsOnce(report.drifts).map((drift) => withDecision(drift, decisions)) }
}
