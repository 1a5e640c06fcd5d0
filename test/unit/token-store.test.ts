/** The default store keeps what every store keeps. */
import { describe } from 'vitest'
import { memoryStore } from '../../src/tokens/store'
import { keepsTheTokenStoreContract } from '../support/token-store-contract'

describe('memoryStore', () => {
  keepsTheTokenStoreContract(async () => {
    const store = memoryStore()
    return { open: () => store }
  })
})
