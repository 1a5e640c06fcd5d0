/** `foyer-emulator drift`: compares the emulator with a service's OpenAPI document, or with a running service. */
import { sentence } from '../../foundation/sentence.js'
import { formerName } from '../../foundation/former-names.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { readText } from '../../foundation/text-files.js'
import { isSnowflake } from '../../foundation/values.js'
import { compareWithService } from '../drift/compare-with-service.js'
import { findDrift } from '../drift/find-drift.js'
import { decisionsOf } from '../drift/judge-response.js'
import { printComparison, printDrift } from '../drift/print-drift.js'
import type { Target } from '../drift/scenario.js'
import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { withoutEndSlashes } from '../../foundation/without-end-slashes.js'

export interface DriftCommand {
  source: DriftSource
  /** File of accepted differences. */
  accept: string | undefined
  json: boolean
}

/** A document, or a running service with the file that holds the application's credentials. */
type DriftSource = { openapi: string; brand: string | undefined } | { against: string; envFile: string }

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
    throw new EmulatorError(
      'bad_request',
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

const THIS_MACHINE = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** @throws EmulatorError `bad_request` for an address that credentials must not be sent to, `env_file_unusable`. */
export function readTarget({ against, envFile }: { against: string; envFile: string }): Target {
  const api = readApi(against)
  const values = readValues(envFile)
  const applicationId = values['FOYER_APPLICATION_ID']
  if (!isSnowflake(applicationId))
    throw unusable(
      envFile,
      `FOYER_APPLICATION_ID must be the id of the application${formerName('FOYER_APPLICATION_ID', values)}`,
    )
  const botToken = secretOf(values, 'FOYER_BOT_TOKEN', envFile)
  if (botToken === undefined)
    throw unusable(envFile, `FOYER_BOT_TOKEN is missing${formerName('FOYER_BOT_TOKEN', values)}`)
  return { api, applicationId, botToken, clientSecret: secretOf(values, 'FOYER_CLIENT_SECRET', envFile) }
}

/** The address alone means the usual root of the API below it. */
function readApi(against: string): string {
  const url = URL.parse(against)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && THIS_MACHINE.has(url.hostname))
  if (url === null || !isSafe)
    throw refused('must be an https: URL (http: on this machine only), since credentials are sent to it')
  if (url.username !== '' || url.password !== '')
    throw refused('must not contain credentials: they belong into --credentials')
  if (url.search !== '' || url.hash !== '') throw refused('must have no query and no fragment')
  const path = withoutEndSlashes(url.pathname)
  return url.origin + (path === '' ? '/api/v10' : path)
}

function readValues(file: string): Partial<Record<string, string>> {
  try {
    return parseEnv(readText(file))
  } catch (error) {
    throw unusable(file, error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be read')
  }
}

function secretOf(values: Partial<Record<string, string>>, name: string, file: string): string | undefined {
  const value = values[name]
  if (value === undefined || value === '') return undefined
  if (/^[!-~]{8,512}$/.test(value)) return value
  throw unusable(file, `${name} must be 8 to 512 visible ASCII characters without spaces, and without "Bot "`)
}

const refused = (reason: string): EmulatorError =>
  new EmulatorError('bad_request', sentence(`--against ${reason}`))

function unusable(file: string, reason: string): EmulatorError {
  return new EmulatorError('env_file_unusable', sentence(`The env file ${file} cannot be used: ${reason}`))
}
