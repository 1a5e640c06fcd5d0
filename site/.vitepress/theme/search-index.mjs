/** Search of the manual: takes the words of a newcomer for those of the manual, and typos for what was meant. */
import MiniSearch from '../../node_modules/minisearch/dist/es/index.js'
import { ideasOf } from './search-words.mjs'

const EXACT = { fuzzy: false, prefix: (word) => word.length > 2, tokenize: (text) => [text] }
const BOOST = { title: 3.5, titles: 2, text: 1 }

/** Takes the place of MiniSearch in the search box of VitePress. */
export default {
  loadJSON(json, options) {
    const index = MiniSearch.loadJSON(json, options)
    return { search: (words) => search(index, words) }
  },
}

/** Sections that contain the ideas of a query, those with most of them first. */
export function search(index, words) {
  const found = new Map()
  const isKnown = (word) => index.search(word, EXACT).length > 0
  for (const idea of ideasOf(words, isKnown))
    for (const result of sectionsWith(index, idea).values()) {
      const before = found.get(result.id)
      found.set(result.id, {
        ...result,
        score: result.score + (before?.score ?? 0),
        ideas: 1 + (before?.ideas ?? 0),
        match: { ...before?.match, ...result.match },
      })
    }
  return [...found.values()]
    .map((result) => ({ ...result, score: result.score * result.ideas * rankOf(result.id) }))
    .toSorted((a, b) => b.score - a.score)
}

/** Sections with one of the words that an idea has, each with its best word. */
function sectionsWith(index, idea) {
  const best = new Map()
  for (const { word, weight } of idea)
    for (const result of sectionsOf(index, word)) {
      const score = result.score * weight
      if (score > (best.get(result.id)?.score ?? 0)) best.set(result.id, { ...result, score })
    }
  return best
}

/** A word that no section has is a typo. Three letters are the beginning of another word only if they are none. */
function sectionsOf(index, word) {
  const options = { boost: BOOST, bm25: { k: 1.2, b: 0.4, d: 0.5 }, tokenize: (text) => [text] }
  const searchBy = (prefix) =>
    index.search(word, { ...options, prefix, fuzzy: false, weights: { prefix: 0.7, fuzzy: 0.4 } })
  const exact = searchBy(word.length > 3)
  if (exact.length > 0 || word.length < 3) return exact
  if (word.length === 3) return searchBy(true)
  return index.search(word, {
    ...options,
    prefix: false,
    fuzzy: word.length < 8 ? 1 : 2,
    weights: { prefix: 0.6, fuzzy: 1 },
  })
}

/** Guides come before pages for those who know what they look for. */
function rankOf(id) {
  if (/^\/?(?:\w+\/)*(?:reference|interface|proofs|decisions)\//.test(id)) return 0.4
  if (/browsers-manual/.test(id)) return 0.4
  if (/(?:emulator-|threats|browsers|errors)/.test(id)) return 0.7
  return 1
}
