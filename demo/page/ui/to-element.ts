/** Draws a component where a panel still builds its elements itself. */
import { type ComponentType, createElement, render } from 'preact'

/** Returns the element of the component, which goes on drawing it. */
export function toElement<Props extends object>(component: ComponentType<Props>, props: Props): HTMLElement {
  const place = document.createElement('div')
  render(createElement(component, props), place)
  const element = place.firstElementChild
  if (!(element instanceof HTMLElement)) throw new Error('The component has no element.')
  return element
}
