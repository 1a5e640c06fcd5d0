/** Lets the browser save a text as a file. */

/** Milliseconds until the browser has read the text. */
const READ = 10_000

/** A link of its own, because a page cannot write files. */
export function saveFile(name: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), READ)
}
