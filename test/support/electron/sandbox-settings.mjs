/** What a test says of the machine. */
import process from 'node:process'

/** `{ userData, keyStore, desktopFile, browser }`. */
export const machine = () => JSON.parse(process.env['STAND_IN'] ?? '{}')
