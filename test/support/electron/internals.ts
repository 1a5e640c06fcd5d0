/** Parts of Electron's main process that tests use and its entry does not export, as `../internals.ts` for the rest. */
export { createEncryptedTokenStore } from '../../../src/desktop/main/encrypted-token-store'
export { openExternal } from '../../../src/desktop/main/system-browser'
export { encodeFrame, FrameReader, MAX_FRAME } from '../../../src/desktop/main/local-program/program-socket'
export { PRESENCE_FIELDS, PRESENCE_TEXTS } from '../../../src/client/activity/check-presence'
export { addressesIn, socketFolders } from '../../../src/desktop/main/local-program/program-socket'
