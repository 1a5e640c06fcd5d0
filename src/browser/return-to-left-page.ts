/** Brings a page back as it was left, when the answer in its address bar belongs to a client that it has not made. */
import { isText } from '../foundation/encoding'
import { answerState, pageAddress } from './address-bar'
import { PREFIX, readRecord } from './read-attempt'

/**
 * Reloads the page with its own query beside the answer, once for each attempt: the query said which client to make (`?profile=bob`), and
 * an exact redirect URI cannot carry it. Resolves when there is nothing to bring back.
 */
export async function returnToLeftPage(): Promise<void> {
  await untilLoaded()
  // Another client of this page may have taken the answer meanwhile.
  const state = answerState(location.href)
  const { page, isBack, ...record } = readRecord(state ?? null)
  if (state === undefined || !isText(page, /^[?#]/) || isBack) return
  // Written first: a server that drops the query must not make the page reload for ever.
  sessionStorage.setItem(PREFIX + state, JSON.stringify({ ...record, page, isBack: true }))
  const url = pageAddress(page)
  const answer = location.search.slice(1)
  url.search += (url.search ? '&' : '?') + answer
  history.replaceState(history.state, '', url)
  location.reload()
  // Nothing of this page counts any more.
  await new Promise(() => undefined)
}

/** By then every script of the page has run, and made its clients. */
async function untilLoaded(): Promise<void> {
  if (document.readyState !== 'complete') await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))
}
