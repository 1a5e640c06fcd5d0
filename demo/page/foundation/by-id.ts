/** Elements of the page's own HTML. */

/** Returns the element of the page with this id. @throws Error if there is none. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id)
  if (!element) throw new Error(`The page has no #${id}.`)
  return element
}
