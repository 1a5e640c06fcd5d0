/** Web Crypto, which browsers offer to secure contexts only. */
import { ConfigurationError } from './errors'

/** Fails early: without Web Crypto every signature of an ID token would seem invalid. @throws ConfigurationError `unsupported`. */
export function requireWebCrypto(): void {
  const platform: { crypto?: Partial<Crypto> } = globalThis
  if (!platform.crypto?.subtle)
    throw new ConfigurationError('unsupported', 'crypto.subtle', { remedy: 'Serve the page over https:// or from localhost' })
}
