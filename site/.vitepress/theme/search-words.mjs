/** Words of newcomers and of other libraries, and the words of the manual for the same. */

/** Several words that mean something else than each of them. */
const PHRASES = [
  [/\bself[ -]?signed\b/g, 'certificate'],
  [/\blog(?:ged|ging|s)?[ -]?in\b/g, 'sign in'],
  [/\blog(?:ged|ging|s)?[ -]?(?:out|off)\b/g, 'sign out'],
  [/\b(?:getting started|get started|quick ?start|first steps|hello world)\b/g, 'tutorial'],
  [/\bpage refresh\b|\brefresh(?:ing)? (?:the )?page\b|\bf5\b/g, 'reload'],
  [/\bnot (?:showing|appearing|visible)(?: up)?\b/g, 'show'],
  [
    /\b(?:not|never|stopped|doesn't|doesnt|don't|won't|can't) work(?:ing|s)?\b|\b(?:is )?broken\b|\bdoes nothing\b/g,
    'trouble',
  ],
]

/** Words that say nothing about what is looked for. */
const EMPTY = new Set(
  `a about after all also am an and any app are as at be been but by can cannot can't could did do does doing example for from get gets getting
  had has have having help how i if in into is it its just like make me my need not of off on one or our should so some someone something than
  that the their them then there these they this to up use used using want was we were what when where which while who why will with without
  work working would you your discord`.split(/\s+/),
)

/** Words of newcomers, each with those of the manual. */
const MEANINGS = {
  anonymous: 'provisional',
  authenticate: 'sign',
  authentication: 'sign',
  cap: 'limit most',
  capacity: 'limit most',
  code: 'secret',
  delete: 'remove end',
  disconnect: 'leave left removed',
  embed: 'frame',
  exit: 'leave left',
  expire: 'end ended idle',
  fake: 'emulator',
  guest: 'provisional',
  iframe: 'frame',
  joined: 'join added',
  left: 'leave removed memberRemoved',
  login: 'sign',
  logout: 'sign',
  match: 'lobby',
  max: 'limit most',
  maximum: 'limit most',
  mock: 'emulator test',
  password: 'secret',
  persist: 'store stored',
  player: 'member',
  quit: 'leave left',
  refresh: 'reload',
  remember: 'keep stay store resume',
  room: 'lobby',
  save: 'store stored',
  signin: 'sign',
  signout: 'sign',
  size: 'limit characters',
  stay: 'keep store resume',
  stub: 'emulator test',
  timeout: 'timed_out idle',
  trouble: 'work nothing',
  user: 'player member',
}

const ENDING = /(?:ications?|ations?|ions?|ies|ing|ed|es|s|e|y)$/

/** A shorter one begins too many other words, as `sta` of `stay` does. */
const SHORTEST_STEM = 4

/** Ideas of a query, each as the words that stand for it. `isKnown` tells whether a section has the word. */
export function ideasOf(query, isKnown = () => true) {
  const plain = PHRASES.reduce((text, [phrase, words]) => text.replaceAll(phrase, words), query.toLowerCase())
  const original = new Map(wordsOf(query).map((word) => [word.toLowerCase(), word]))
  const words = wordsOf(plain).flatMap((word) => (isKnown(word) ? word : partsOf(original.get(word) ?? word)))
  const said = words.filter((word) => !EMPTY.has(word))
  return [...new Set(said.length > 0 ? said : words)].map(meaningsOf)
}

const wordsOf = (text) => text.split(/[\s\p{P}]+/u).filter((word) => word !== '')

/** Splits a name such as `SetLobbyData` of another library. */
const partsOf = (word) => word.split(/(?<=[a-z\d])(?=[A-Z])/).map((part) => part.toLowerCase())

function meaningsOf(word) {
  const stem = word.replace(ENDING, '')
  const others = (MEANINGS[word] ?? MEANINGS[`${stem}e`] ?? MEANINGS[stem] ?? '')
    .toLowerCase()
    .split(/[\s_]+/)
    .filter((other) => other !== '')
  return [
    { word, weight: 1 },
    ...(stem.length >= SHORTEST_STEM && stem !== word ? [{ word: stem, weight: 1 }] : []),
    ...others.map((other) => ({ word: other, weight: 0.5 })),
  ]
}
