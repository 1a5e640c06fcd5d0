/** Creates elements without markup in strings, so that no string from a service can become code. */

export type Child = Node | string | false | undefined
type Listener = (event: Event) => void
export type Attributes = Record<string, string | number | boolean | undefined | Listener>

/** Creates an element with attributes and children. `onclick: f` adds a listener; `true` sets an empty attribute; `false` and `undefined` omit it. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  decorate(element, attributes)
  element.append(...children.filter(isNode))
  return element
}

/** Creates an SVG element, like `h`. */
export function svg(tag: string, attributes: Attributes = {}, children: readonly Node[] = []): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  decorate(element, attributes)
  element.append(...children)
  return element
}

function decorate(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value)
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
}

function isNode(child: Child): child is Node | string {
  return child !== undefined && child !== false
}
