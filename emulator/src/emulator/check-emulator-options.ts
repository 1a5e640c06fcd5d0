/** Checks the options of `createEmulator`: an unknown one would have no effect, and an address that is no URL would fail much later. */
import { EmulatorError } from '../foundation/emulator-error.js'
import { isHeader } from '../foundation/header-text.js'
import { isObject } from '../foundation/type-guards.js'

/** `known`: every option; `true` for an http: or https: URL. @throws EmulatorError `invalid_setting`. */
export function requireKnownOptions(options: object, known: Readonly<Record<string, boolean>>): void {
  const urls = new Map(Object.entries(known))
  for (const [name, value] of Object.entries(options)) {
    const isUrl = urls.get(name)
    if (isUrl === undefined) throw invalid(`there is no option "${name}"; the options are ${[...urls.keys()].join(', ')}`)
    if (isUrl && value !== undefined && !isHttpUrl(value)) throw invalid(`${name} must be an http: or https: URL`)
  }
}

/** Headers of pages are set while a request is served, where a fault would end the process. @throws EmulatorError `invalid_setting`. */
export function requireHeaders(headers: unknown): void {
  if (!isObject(headers)) throw invalid('pageHeaders must be an object of names and values')
  for (const [name, value] of Object.entries(headers))
    if (typeof value !== 'string' || !isHeader(name, value))
      throw invalid(`pageHeaders[${JSON.stringify(name)}] is no header that HTTP allows`)
}

const isHttpUrl = (value: unknown): boolean => /^https?:$/.test(URL.parse(String(value))?.protocol ?? '')

const invalid = (message: string): EmulatorError => new EmulatorError('invalid_setting', `createEmulator: ${message}`)
