/** Checks the options of `createEmulator`: an unknown one would have no effect, and an address that is no URL would fail much later. */
import { EmulatorError } from '../foundation/emulator-error.js'

/** `known`: every option; `true` for an http: or https: URL. @throws EmulatorError `invalid_setting`. */
export function requireKnownOptions(options: object, known: Readonly<Record<string, boolean>>): void {
  const urls = new Map(Object.entries(known))
  for (const [name, value] of Object.entries(options)) {
    const isUrl = urls.get(name)
    if (isUrl === undefined) throw invalid(`there is no option "${name}"; the options are ${[...urls.keys()].join(', ')}`)
    if (isUrl && value !== undefined && !isHttpUrl(value)) throw invalid(`${name} must be an http: or https: URL`)
  }
}

const isHttpUrl = (value: unknown): boolean => /^https?:$/.test(URL.parse(String(value))?.protocol ?? '')

const invalid = (message: string): EmulatorError => new EmulatorError('invalid_setting', `createEmulator: ${message}`)
