/** The session module for pages as one part, loaded with the first session. */
export { loadBrowserSessions } from './load-browser-sessions'
