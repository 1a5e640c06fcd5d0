/** The element of the page with this id. */
export function element(id: string): HTMLElement {
  return document.getElementById(id)!
}
