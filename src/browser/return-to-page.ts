/** Restores the page that a sign-in left, if the response in the address bar belongs to a client that this page has not created. */
import { isText } from '../foundation/values/guard-untrusted-values'
import { responseState, pageAddress } from './address-bar'
import { readRecord, writeRecord } from './attempt-record-storage'

/**
 * Reloads the page with its original query and the response, once per attempt: the query determines the client (`?profile=bob`), and an
 * exact redirect URI cannot contain it. Resolves if there is nothing to restore.
 */
export async function returnToLeftPage(): Promise<void> {
  await untilLoaded()
  // Another client of this page may have taken the response meanwhile.
  const state = responseState(location.href)
  const { page, isBack, ...record } = readRecord(state ?? '')
  if (state === undefined || !isText(page, /^[?#]/) || isBack) return
  // Stored first, to prevent a reload loop if the server drops the query.
  if (writeRecord(state, { ...record, page, isBack: true })) return
  const url = pageAddress(page)
  const response = location.search.slice(1)
  url.search += (url.search ? '&' : '?') + response
  history.replaceState(history.state, '', url)
  location.reload()
  // The reload discards this page.
  await new Promise(() => undefined)
}

/** After `load`, every script of the page has run and created its clients. */
async function untilLoaded(): Promise<void> {
  if (document.readyState !== 'complete') await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))
}
