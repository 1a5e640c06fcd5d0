/** Order of the manual's pages, for its sidebar and for `llms.txt`. A test finds a page of `docs` that is not listed. */

export interface Section {
  title: string
  /** Paths below `docs`. A path that ends with a slash stands for all pages of the folder. */
  pages: string[]
}

export const CONTENTS: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      'tutorial.md',
      'faq.md',
      'vite.md',
      'frameworks.md',
      'engines.md',
      'testing.md',
      'another-service.md',
      'deploy.md',
      'environment.md',
      'shipping.md',
      'words.md',
    ],
  },
  {
    title: 'From another library',
    pages: ['from-embedded-sdk.md', 'from-rpc-client.md', 'from-oauth.md', 'from-discord-js.md'],
  },
  { title: 'Sign in', pages: ['sign-in.md', 'sessions.md', 'backend-session.md', 'accounts.md'] },
  { title: 'Lobbies', pages: ['lobbies.md', 'invitations.md', 'netcode.md', 'rate-limits.md'] },
  { title: 'Activity', pages: ['activity.md', 'purchases.md'] },
  { title: 'Desktop', pages: ['electron.md', 'desktop.md', 'shells.md', 'native-sdk.md'] },
  { title: 'Backend', pages: ['backend.md', 'hosting.md', 'backend-frameworks.md'] },
  { title: 'Commands', pages: ['commands.md', 'interactions.md', 'chat.md'] },
  {
    title: 'Emulator',
    pages: [
      'emulator.md',
      'emulator-only.md',
      'emulator-players.md',
      'emulator-lobbies.md',
      'emulator-bots.md',
      'emulator-activities.md',
      'emulator-tests.md',
    ],
  },
  {
    title: 'Reference',
    pages: [
      'errors.md',
      'browsers.md',
      'browsers-manual.md',
      'threats.md',
      'reference/',
      'interface/',
      'proofs/',
      'decisions/',
    ],
  },
]

/** Sections with their pages in order, of which the `README.md` of a folder is the first. `existing`: paths of all pages below `docs`. */
export function listSections(existing: readonly string[]): Section[] {
  const inFolder = (folder: string) =>
    existing
      .filter((path) => path.startsWith(folder))
      .toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'))
  return CONTENTS.map(({ title, pages }) => ({
    title,
    pages: pages.flatMap((page) => (page.endsWith('/') ? inFolder(page) : page)),
  }))
}

const rank = (path: string) => (path.endsWith('/README.md') ? 0 : 1)
