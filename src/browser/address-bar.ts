/** Takes an authorization answer out of the address bar, so that it reaches no history, no referrer and no analytics. */
import { isText } from '../foundation/encoding'
import { readRecord } from './read-attempt'

/** Every answer has a `state`: a `code` alone is the game's own, as in a link that invites to a room. */
const ANSWER = /[?#&](state|access_token|id_token)=/
/** On a page for callbacks alone, what has lost its `state` is an answer too. */
export const ANY_ANSWER = /[?#&](code|error|state|access_token|id_token)=/
/** The parameters of an answer. This client asks for no tokens, but they are secrets all the same. */
const PARAMETERS = ['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'access_token', 'id_token', 'refresh_token']

export interface TakeOptions {
  /** The client that takes it. Default: a callback page, which hands on every answer. */
  owner?: string
  pattern?: RegExp
}

/**
 * The page's whole URL when it holds an answer, and undefined otherwise. The bar is clean when this returns: it shows what it showed when
 * the page was left, where that is known. With an `owner`, an answer to another client's attempt stays in the bar, and the result is null.
 */
export function takeCallbackUrl({ owner, pattern = ANSWER }: TakeOptions = {}): string | undefined | null {
  if (typeof document !== 'object') return undefined
  const { href, hash } = location
  const state = answerState(href, pattern)
  if (state === undefined) return undefined
  const { owner: pending, page } = owner === undefined ? {} : readRecord(state)
  if (pending !== undefined && pending !== owner) return null
  history.replaceState(history.state, '', isText(page, /^[?#]/) ? pageAddress(page) : withoutAnswer(href, pattern))
  // A fragment that was put back is the page's own, and no part of the answer.
  return isText(page, /#/) && page.endsWith(hash) ? href.slice(0, href.length - hash.length) : href
}

/** The `state` of the answer in an address; undefined when there is none, and empty for an answer without one. */
export function answerState(address: string, pattern = ANSWER): string | undefined {
  const { searchParams, search, hash } = new URL(address)
  return pattern.test(search + hash) ? (searchParams.get('state') ?? '') : undefined
}

/** An address as it was without the answer in it. */
export function withoutAnswer(address: string, pattern = ANSWER): URL {
  const url = new URL(address)
  const { search, hash } = url
  if (pattern.test(search + hash)) for (const name of PARAMETERS) url.searchParams.delete(name)
  if (pattern.test(hash)) url.hash = ''
  return url
}

/** This page with another query and fragment. */
export function pageAddress(page: string): URL {
  return new URL(page, location.origin + location.pathname)
}
