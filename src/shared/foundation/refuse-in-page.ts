/** Calls of an entry that a page cannot load. Bundlers for pages take them by the condition `browser` of the package. */
import { ConfigurationError } from './errors'

/** @throws ConfigurationError `unsupported`, with what a page writes instead. */
export function refuseInPage(entry: string, remedy: string): never {
  throw new ConfigurationError('unsupported', `${entry} in a page`, { remedy })
}
