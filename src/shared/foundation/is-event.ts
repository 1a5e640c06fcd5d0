/** Tells the event of a click from options: `button.onclick = client.signIn` passes one, and so do React's and PixiJS's. */
import { isRecord } from './values/guard-untrusted-values'

export const isEvent = (value: unknown): boolean => isRecord(value) && typeof value['preventDefault'] === 'function'
