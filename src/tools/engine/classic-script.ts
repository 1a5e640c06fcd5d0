/** Classic script `foyer.engine.js`: adds `Foyer.engine` to the global of the SDK's classic script, which must be loaded before. */
import { createEngine } from './create-engine'
import type { Engine, EngineSdk } from './engine-types'

declare const Foyer: EngineSdk & { engine?: Engine }

if (typeof Foyer === 'undefined')
  throw new Error('Load the classic script of foyer-sdk before foyer.engine.js.')
// Loaded twice, the first one stays: it may have calls.
Foyer.engine ??= createEngine(Foyer)
