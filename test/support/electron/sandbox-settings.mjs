/** Settings of the sandbox, chosen by the test. */
import process from 'node:process'

/** `{ userData, keyStore, desktopFile, browser }`. */
export const settings = () => JSON.parse(process.env['FAKE_ELECTRON'] ?? '{}')
