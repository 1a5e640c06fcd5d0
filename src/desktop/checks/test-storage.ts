/** Description and test of the token store. */
import { readFile, rm, stat } from 'node:fs/promises'
import { app } from 'electron'
import type { Check } from '../../shared/foundation/log-entry'
import { randomText } from '../../shared/foundation/crypto'
import type { TokenStore } from '../../client/session/token-store'
import {
  createEncryptedTokenStore,
  type EncryptionKind,
  openKeyStore,
  tokenStoreFile,
} from '../main/encrypted-token-store'
import type { MainClientOptions } from '../main/main-client-options'
import { errorCode } from './test-loopback'

const KEY = 'setup-check'

/** Description and test of the token store. */
export interface StorageReport {
  /**
   * `encrypted`: a file, with a key of the system. `weak`: a file that any program of this user can read. `memory`: no file; players sign in
   * at each start. `custom`: the option `tokenStore`, which is not tested.
   */
  kind: EncryptionKind | 'custom'
  /** True if the system can encrypt; on Linux possibly with a publicly known password, see `backend`. */
  encryptionAvailable: boolean
  /** Linux only: the key store in use. `basic_text` and `unknown` do not protect. */
  backend?: string
  /** File with the tokens. Absent for `memory` and `custom`. */
  file?: string
  /**
   * `write`, `no_plain_text` (of the file), `owner_only` (mode of the file; not on Windows), `read` (reopened), and `delete`, in a file beside
   * that of the tokens. `got` is an error code of the system. A failed check ends the test.
   */
  checks: readonly Check[]
}

export async function testStorage(options: MainClientOptions): Promise<StorageReport> {
  await app.whenReady()
  const allowWeak = options.allowWeakStorage === true
  const keyStore = openKeyStore({ allowWeak })
  const kind = options.tokenStore ? 'custom' : keyStore.kind
  const { backend, available } = keyStore
  const file = tokenStoreFile(options)
  const open = () => createEncryptedTokenStore({ file: `${file}-check`, allowWeak, log: () => undefined })
  return {
    kind,
    encryptionAvailable: available,
    ...(backend !== undefined && { backend }),
    ...((kind === 'encrypted' || kind === 'weak') && { file }),
    checks:
      kind === 'custom'
        ? []
        : await testRecord({ open, file: kind === 'memory' ? undefined : `${file}-check` }),
  }
}

interface TestedStore {
  open: () => TokenStore
  /** Undefined for memory. */
  file: string | undefined
}

type Step = [check: string, test: () => Promise<boolean>]

async function testRecord({ open, file }: TestedStore): Promise<Check[]> {
  const text = randomText()
  const store = open()
  const steps: Step[] = [
    ['write', () => store.set(KEY, text).then(() => true)],
    ...(file === undefined ? [] : fileSteps(file, text)),
    ['read', async () => (await (file === undefined ? store : open()).get(KEY)) === text],
    ['delete', () => store.delete(KEY).then(async () => (await store.get(KEY)) === undefined)],
  ]
  const checks = await runSteps(steps)
  if (file !== undefined) await rm(file, { force: true }).catch(() => undefined)
  return checks
}

function fileSteps(file: string, text: string): Step[] {
  const isPrivate = async () => ((await stat(file)).mode & 0o077) === 0
  return [
    ['no_plain_text', async () => !(await readFile(file)).includes(text)],
    ...(process.platform === 'win32' ? [] : [['owner_only', isPrivate] satisfies Step]),
  ]
}

async function runSteps(steps: readonly Step[]): Promise<Check[]> {
  const checks: Check[] = []
  for (const [check, test] of steps) {
    const got = await test().catch(errorCode)
    checks.push({
      check,
      result: got === true ? 'passed' : 'failed',
      ...(typeof got === 'string' && { got }),
    })
    if (got !== true) break
  }
  return checks
}
