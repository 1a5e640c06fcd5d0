/** Warns on the consent page when the redirect target cannot be reached. The page also works without scripts. */

interface Check {
  /** Null if the redirect target can be reached. */
  problem?: { summary: string; advice: string; unreachable?: boolean } | null
  address?: string
}

void warn()

async function warn(): Promise<void> {
  const { problem, address } = await check()
  if (problem && !(problem.unreachable === true && address !== undefined && (await reaches(address))))
    show(problem)
}

async function check(): Promise<Check> {
  // It fails when the window closes or the emulator stops meanwhile: then there is nothing to warn of.
  const response = await fetch(`${location.pathname}/callback`).catch(() => undefined)
  if (!response?.ok) return {}
  const result: Check = await response.json()
  return result
}

function show({ summary, advice }: NonNullable<Check['problem']>): void {
  const note = document.querySelector<HTMLElement>('#callback')
  if (note === null) return
  const [title, text] = [note.querySelector('b'), note.querySelector('span')]
  if (title !== null) title.textContent = summary
  if (text !== null) text.textContent = advice
  note.hidden = false
}

/** The emulator may run on a different machine than the browser and the game, so the browser checks again. */
function reaches(url: string): Promise<boolean> {
  return fetch(url, { mode: 'no-cors', cache: 'no-store', credentials: 'omit' }).then(
    () => true,
    () => false,
  )
}
