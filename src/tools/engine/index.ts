/** Entry `foyer-sdk/engine`: popups for game engines that process a click later than the browser. @module foyer-sdk/engine */
export { watchGestures } from './watch-gestures'
export type { GestureCallOptions, GestureWatch } from './watch-gestures'
