/** Reads where `drift --against` sends its requests, and the credentials for it. No message contains a credential. */
import { parseEnv } from 'node:util'
import type { Target } from '../drift/scenario-types.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import { readText } from '../foundation/read-text.js'
import { isSnowflake } from '../foundation/type-guards.js'

const THIS_MACHINE = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** @throws EmulatorError `bad_request` for an address that credentials must not be sent to, `env_file_unusable`. */
export function readTarget({ against, envFile }: { against: string; envFile: string }): Target {
  const api = readApi(against)
  const values = readValues(envFile)
  const applicationId = values['FOYER_APPLICATION_ID']
  if (!isSnowflake(applicationId)) throw unusable(envFile, 'FOYER_APPLICATION_ID must be the id of the application')
  const botToken = secretOf(values, 'FOYER_BOT_TOKEN', envFile)
  if (botToken === undefined) throw unusable(envFile, 'FOYER_BOT_TOKEN is missing')
  return { api, applicationId, botToken, clientSecret: secretOf(values, 'FOYER_CLIENT_SECRET', envFile) }
}

/** The address alone means the usual root of the API below it. */
function readApi(against: string): string {
  const url = URL.parse(against)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && THIS_MACHINE.has(url.hostname))
  if (url === null || !isSafe) throw refused('must be an https: URL (http: on this machine only), since credentials are sent to it')
  if (url.username !== '' || url.password !== '') throw refused('must not contain credentials: they belong into --env-file')
  if (url.search !== '' || url.hash !== '') throw refused('must have no query and no fragment')
  const path = url.pathname.replace(/\/+$/, '')
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

const refused = (reason: string): EmulatorError => new EmulatorError('bad_request', `--against ${reason}.`)

function unusable(file: string, reason: string): EmulatorError {
  return new EmulatorError('env_file_unusable', `The env file ${file} cannot be used: ${reason}.`)
}
