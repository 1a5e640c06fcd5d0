/** Environment variables with the values of a running emulator. */
import { sentence } from '../foundation/sentence.js'
import { rawPublicKey, type Credentials } from '../foundation/credentials.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import { findFormerNames } from '../foundation/former-names.js'
import { makePrivate, readText } from '../foundation/text-files.js'
import type { Emulator } from '../api/control/emulator.js'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

export function environment({ url, application, controlToken }: Emulator): Record<string, string> {
  return {
    FOYER_HOST: url,
    FOYER_APPLICATION_ID: application.id,
    FOYER_BOT_TOKEN: application.botToken,
    FOYER_CLIENT_SECRET: application.clientSecret,
    FOYER_PUBLIC_KEY: application.publicKey,
    FOYER_CONTROL_TOKEN: controlToken,
  }
}

type Values = Record<string, string>

/** Private key of `FOYER_PUBLIC_KEY`. */
const PRIVATE_KEY = 'FOYER_EMULATOR_INTERACTION_KEY'

/**
 * Returns the given credentials, overridden by those in the file. Writes nothing.
 * @throws EmulatorError `env_file_unusable`.
 */
export function readEnvFile(file: string, credentials: Credentials): Credentials {
  const values = valuesOf(readExisting(file))
  return {
    ...credentials,
    botToken: token(values, 'FOYER_BOT_TOKEN') ?? credentials.botToken,
    clientSecret: token(values, 'FOYER_CLIENT_SECRET') ?? credentials.clientSecret,
    controlToken: token(values, 'FOYER_CONTROL_TOKEN') ?? credentials.controlToken,
    ...interactionKeys(values[PRIVATE_KEY], file),
  }
}

/** Sentences about values of the file that nobody reads, since they are called by other names. */
export function noticesOf(file: string): string[] {
  return findFormerNames(valuesOf(readExisting(file))).map(
    ({ name, former }) => `${former} in ${file} is not read: call it ${name}`,
  )
}

/**
 * Writes the values of a running emulator, and keeps the other lines of the file. Afterwards only its owner can read the file.
 * @throws EmulatorError `env_file_unusable`.
 */
export function writeEnvFile(file: string, values: Values, { interactionKey }: Credentials): void {
  const all: Values = { ...values, [PRIVATE_KEY]: interactionKey }
  const before = readExisting(file)
  const others = before.split('\n').filter((line) => !(nameIn(line) in all))
  const lines = Object.entries(all).map(([name, value]) => `${name}=${value}`)
  const text = [others.join('\n').trimEnd(), ...lines, ''].join('\n').trimStart()
  try {
    makePrivate(file)
    if (text !== before) writeFileSync(file, text)
  } catch (error) {
    throw unusable(file, error)
  }
}

function nameIn(line: string): string {
  return /^\s*(?:export\s+)?(\w+)\s*=/.exec(line)?.[1] ?? ''
}

/** Parses an env file, without variables that have no value. */
function valuesOf(text: string): Values {
  return Object.fromEntries(
    Object.entries(parseEnv(text)).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** Must be visible ASCII, since it is sent in headers. */
function token(values: Values, name: string): string | undefined {
  const value = values[name]
  if (value === undefined || value === '') return undefined
  if (/^[!-~]{8,512}$/.test(value)) return value
  throw new EmulatorError(
    'env_file_unusable',
    `${name} in the env file must be 8 to 512 visible ASCII characters without spaces.`,
  )
}

function interactionKeys(
  encoded: string | undefined,
  file: string,
): Pick<Credentials, 'publicKey' | 'interactionKey'> | undefined {
  if (encoded === undefined || encoded === '') return undefined
  try {
    const key = createPrivateKey({ key: Buffer.from(encoded, 'base64'), format: 'der', type: 'pkcs8' })
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`a key of type ${key.asymmetricKeyType}`)
    return { interactionKey: encoded, publicKey: rawPublicKey(createPublicKey(key)) }
  } catch (error) {
    throw new EmulatorError(
      'env_file_unusable',
      `${PRIVATE_KEY} in ${file} is no Ed25519 key; remove the line to get a new one.`,
      {
        cause: error,
      },
    )
  }
}

/** Returns an empty string if the file does not exist. */
function readExisting(file: string): string {
  try {
    return readText(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw unusable(file, error)
  }
}

function unusable(file: string, cause: unknown): EmulatorError {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new EmulatorError('env_file_unusable', sentence(`The env file ${file} cannot be used: ${message}`), {
    cause,
  })
}
