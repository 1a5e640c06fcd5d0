/** Path of the file that contains the tokens. */
import { join } from 'node:path'
import { app } from 'electron'
import { sha256 } from '../../shared/foundation/crypto'
import type { MainClientOptions } from './main-client-options'

const FILE = 'foyer-vault'

/** One file per profile, so that two clients of one app do not overwrite each other's data. */
export function tokenStoreFile({ profile }: Pick<MainClientOptions, 'profile'>): string {
  const isDefault = profile === undefined || profile === 'default'
  return join(
    app.getPath('userData'),
    isDefault ? FILE : `${FILE}-${Buffer.from(sha256(profile)).toString('hex').slice(0, 16)}`,
  )
}
