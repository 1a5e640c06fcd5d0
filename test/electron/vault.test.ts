/** The token store of an Electron app, as every token store, and as the one that outlives the process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe } from 'vitest'
import { createVault } from '../../src/electron/main/vault'
import { keepsTheTokenStoreContract } from '../support/token-store-contract'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'foyer-vault-'))
  process.env['STAND_IN'] = JSON.stringify({ userData: home })
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('the vault', () => {
  keepsTheTokenStoreContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'foyer-vault-'))
    process.env['STAND_IN'] = JSON.stringify({ userData: folder })
    return { open: () => createVault({ file: join(folder, 'foyer-vault'), allowWeak: false, log: () => undefined }) }
  })
})
