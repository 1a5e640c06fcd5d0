/** The encrypted token store of Electron, held to the contract of every token store and to persistence across processes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe } from 'vitest'
import { createEncryptedTokenStore } from '../support/electron/internals'
import { testTokenStore } from '../support/token-store-contract'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

describe('the encrypted token store', () => {
  testTokenStore(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-vault-'))
    folders.push(folder)
    process.env['FAKE_ELECTRON'] = JSON.stringify({ userData: folder })
    return {
      open: () =>
        createEncryptedTokenStore({
          file: join(folder, 'foyer-vault'),
          allowWeak: false,
          log: () => undefined,
        }),
    }
  })
})
