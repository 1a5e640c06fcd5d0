/** Warns on the consent page when the redirect target cannot be reached. The page also works without scripts. */

const note = document.querySelector('#callback')
const response = await fetch(`${location.pathname}/callback`)
const { problem, address } = response.ok ? await response.json() : {}
if (problem && !(problem.unreachable && (await reaches(address)))) {
  note.querySelector('b').textContent = problem.summary
  note.querySelector('span').textContent = problem.advice
  note.hidden = false
}

/** The emulator may run on a different machine than the browser and the game, so the browser checks again. */
function reaches(url) {
  return fetch(url, { mode: 'no-cors', cache: 'no-store', credentials: 'omit' }).then(
    () => true,
    () => false,
  )
}
