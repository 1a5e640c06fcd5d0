/** `safeStorage` of the fake Electron. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from './sandbox-settings.mjs'

/** Encrypts with a key in a file, which stands for the system's key store. */
export const safeStorage = {
  calls: [],
  plain: false,
  isEncryptionAvailable() {
    safeStorage.calls.push('isEncryptionAvailable')
    const { keyStore } = settings()
    // The publicly known password is used only if the app has requested it.
    return keyStore === 'basic_text' ? safeStorage.plain : keyStore !== 'none'
  },
  getSelectedStorageBackend: () => {
    const { keyStore = 'gnome_libsecret' } = settings()
    return keyStore === 'none' ? 'unknown' : keyStore
  },
  setUsePlainTextEncryption(plain) {
    safeStorage.plain = plain
  },
  encryptString(text) {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key(), nonce)
    return Buffer.concat([
      Buffer.from('v11'),
      nonce,
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ])
  },
  decryptString(content) {
    const cipher = createDecipheriv('aes-256-gcm', key(), content.subarray(3, 15))
    cipher.setAuthTag(content.subarray(-16))
    return Buffer.concat([cipher.update(content.subarray(15, -16)), cipher.final()]).toString('utf8')
  },
}

function key() {
  const path = join(settings().userData, 'key-store')
  mkdirSync(settings().userData, { recursive: true })
  if (!existsSync(path)) writeFileSync(path, randomBytes(32), { mode: 0o600 })
  return readFileSync(path)
}
