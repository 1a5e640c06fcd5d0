/** Describes the token store in words, with the remedy of what is missing. */
import type { StorageReport } from 'foyer-sdk/electron/checks'
import type { Finding } from './finding'

const KEY_STORES: Readonly<Record<string, string>> = {
  darwin: 'Keychain',
  win32: 'DPAPI, the data protection of Windows',
}

const LINUX_REMEDY =
  'Install and start GNOME Keyring or KWallet. A Flatpak needs --talk-name=org.freedesktop.secrets, a Snap the plug password-manager-service. The option allowWeakStorage writes the file without protection.'
const REMEDIES: Readonly<Record<string, string>> = {
  linux: LINUX_REMEDY,
  darwin: 'Allow the access to the keychain when macOS asks, and sign the app with a constant identity.',
  win32: 'Start the game in the session of a player, not as a service.',
}

const STEPS: Readonly<Record<string, readonly [what: string, passed: string, failed: string]>> = {
  write: [
    'Write',
    'A test record was written.',
    'The test record was not written. Check the free space and the permissions of the folder.',
  ],
  no_plain_text: [
    'Encryption',
    'The file does not contain the record as plain text.',
    'The file contains the record as plain text.',
  ],
  owner_only: [
    'Permissions',
    'Only your user can open the file.',
    'Other users of this machine can open the file.',
  ],
  read: [
    'Read',
    'The record was the same when read back.',
    'The record was not the same when read back. Was the key of the system changed?',
  ],
  delete: ['Delete', 'The record was deleted, and so was its file.', 'The record was not deleted.'],
}

export function storageFindings({ checks, ...report }: StorageReport, platform: string): Finding[] {
  const steps = checks.map(({ check, result, got }): Finding => {
    const [what, passed, failed] = STEPS[check] ?? [check, '', '']
    return result === 'passed'
      ? { result, what, text: passed }
      : { result: 'failed', what, text: got === undefined ? failed : `${failed} (${got})` }
  })
  return [{ what: 'Token store', ...describeKind(report, platform) }, ...steps]
}

function describeKind(
  { kind, backend }: Omit<StorageReport, 'checks'>,
  platform: string,
): Omit<Finding, 'what'> {
  const name = backend === undefined ? '' : ` (${backend})`
  if (kind === 'encrypted')
    return {
      result: 'passed',
      text: `Tokens are in a file that the key store of this system protects${name}.`,
    }
  if (kind === 'weak')
    return {
      result: 'warning',
      text: `Any program of your user can read the tokens: there is no key store${name}, and the password that Chromium uses instead is public. ${LINUX_REMEDY}`,
    }
  if (kind === 'custom')
    return {
      result: 'passed',
      text: 'The game has a token store of its own (option tokenStore). It is not tested here.',
    }
  return {
    result: 'warning',
    text: `There is no key store${name}, so tokens stay in memory and players sign in at each start. ${REMEDIES[platform] ?? ''}`,
  }
}

export function storageFacts(
  { backend, encryptionAvailable, file }: StorageReport,
  platform: string,
): [string, string][] {
  const keyStore = backend ?? KEY_STORES[platform] ?? 'unknown'
  const isPublic = encryptionAvailable && (backend === 'basic_text' || backend === 'unknown')
  return [
    [
      'Key store',
      backend === 'basic_text'
        ? 'basic_text: none; the password is a constant in the source code of Chromium'
        : keyStore,
    ],
    ['Encryption available', isPublic ? 'only with a public password' : encryptionAvailable ? 'yes' : 'no'],
    ['File with the tokens', file ?? 'none'],
    ['Without encryption', 'Tokens stay in memory, unless the game sets allowWeakStorage.'],
  ]
}
