/** Says on the consent page when the page that the answer goes to is missing. Without scripts the consent page works all the same. */

const note = document.querySelector('#callback')
const response = await fetch(`${location.pathname}/callback`)
const { problem, address } = response.ok ? await response.json() : {}
if (problem && !(problem.unreachable && (await reaches(address)))) {
  note.querySelector('b').textContent = problem.summary
  note.querySelector('span').textContent = problem.advice
  note.hidden = false
}

/** The emulator may run on another machine than the browser and the game. */
function reaches(url) {
  return fetch(url, { mode: 'no-cors', cache: 'no-store', credentials: 'omit' }).then(
    () => true,
    () => false,
  )
}
