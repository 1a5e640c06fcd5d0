/** Web Crypto, which browsers keep from pages that came over plain http. */
import { ConfigurationError } from './errors'

/** Without it every signature of an ID token would look bad. @throws ConfigurationError `unsupported`. */
export function requireWebCrypto(): void {
  const platform: { crypto?: Partial<Crypto> } = globalThis
  if (!platform.crypto?.subtle)
    throw new ConfigurationError('unsupported', 'crypto.subtle', { remedy: 'Serve the page over https:// or from localhost' })
}
