/** Finds and creates elements of the host page. */

/** Properties that can be assigned to a new element. */
type Properties<Name extends keyof HTMLElementTagNameMap> = Partial<HTMLElementTagNameMap[Name]>

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Properties<Name> = {},
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), properties)
}

/** Finds an element that the page always contains. @throws Error without it. */
export function find(within: ParentNode, selector: string): HTMLElement {
  const found = within.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`The page has no ${selector}.`)
  return found
}

/** Shows a message at the top of the page; hides it for an empty text. */
export function say(message: string): void {
  const status = find(document, '#status')
  status.textContent = message
  status.hidden = message === ''
}
