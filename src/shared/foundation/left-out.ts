/** Stands for the loader of a part that the smaller classic script lacks. */
import { ConfigurationError } from './errors'

/** @throws ConfigurationError `unsupported`. */
export async function leftOut(): Promise<never> {
  throw new ConfigurationError('unsupported', 'foyer.core.umd.js', {
    remedy: 'It has sign-in and sessions only: load index.umd.js',
  })
}
