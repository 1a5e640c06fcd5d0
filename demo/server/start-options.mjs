/** Options of the demo's start, and its failures. */
import { parseArgs } from 'node:util'

const PREFERRED_PORT = 5173
/** Port of the Activity's host page, if it is free. */
const ACTIVITY_PORT = 3333

/** Error whose message is printed without a stack trace. */
export class StartFailure extends Error {}

/** Reads the options of `npm run demo`. @throws StartFailure with what is wrong, and the usage. */
export function readOptions() {
  const text = /** @type {const} */ ({ type: 'string' })
  const flag = /** @type {const} */ ({ type: 'boolean' })
  const options = { port: text, 'emulator-port': text, 'activity-port': text, page: text, dev: flag }
  try {
    const { values } = parseArgs({ options })
    return {
      port: readPort(values.port, PREFERRED_PORT),
      emulatorPort: readPort(values['emulator-port'], 0),
      activityPort: readPort(values['activity-port'], ACTIVITY_PORT),
      page: values.page,
      dev: values.dev,
    }
  } catch (error) {
    throw new StartFailure(
      `${messageOf(error)}\nUsage: npm run demo -- [--port 5173] [--emulator-port 0] [--activity-port 3333] [--dev | --page FOLDER, built before]`,
    )
  }
}

/** @param {unknown} error */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error)
}

/** @param {unknown} error */
export function codeOf(error) {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/**
 * @param {string | undefined} text
 * @param {number} fallback
 */
function readPort(text, fallback) {
  if (text === undefined) return fallback
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port
  throw new Error(`${text} is no port: a number from 0 to 65535, 0 for any.`)
}
