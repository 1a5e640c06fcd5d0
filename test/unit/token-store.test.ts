/** The default store keeps what every store keeps. */
import { describe } from 'vitest'
import { memoryStore } from '../../src/tokens/session/token-store'
import { keepsTheTokenStoreContract } from '../support/token-store-contract'

describe('memoryStore', () => {
  keepsTheTokenStoreContract(async () => {
    const store = memoryStore()
    return { open: () => store }
  })
})
