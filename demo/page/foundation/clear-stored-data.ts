/** Deletes everything that the page has stored: settings, sessions and exchanges. */

/** Mark of a tab that was asked to delete everything. */
const MARK = 'foyer-demo:clear'

/** Loads the page anew, without its fragment; everything is deleted before a client opens a database. */
export function clearAndReload(): void {
  try {
    sessionStorage.setItem(MARK, '')
  } catch {
    // No storage is allowed, so there is nothing to delete.
  }
  location.replace(location.pathname + location.search)
}

/** Call it before anything else uses storage. Resolves with true if everything was deleted. */
export async function clearIfRequested(): Promise<boolean> {
  if (!isRequested()) return false
  sessionStorage.clear()
  localStorage.clear()
  const databases = await indexedDB.databases()
  await Promise.all(databases.flatMap(({ name }) => (name === undefined ? [] : [deleteDatabase(name)])))
  return true
}

function isRequested(): boolean {
  try {
    return sessionStorage.getItem(MARK) !== null
  } catch {
    return false
  }
}

/** Another tab may hold the database open: it is deleted when that tab closes. */
function deleteDatabase(name: string): Promise<void> {
  return new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(name)
    for (const event of ['success', 'error', 'blocked']) request.addEventListener(event, () => resolve())
  })
}
