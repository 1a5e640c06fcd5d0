/** The default token store fulfills the contract of every token store. */
import { describe } from 'vitest'
import { memoryStore } from 'foyer-sdk'
import { testTokenStore } from '../support/token-store-contract'

describe('memoryStore', () => {
  testTokenStore(async () => {
    const store = memoryStore()
    return { open: () => store }
  })
})
