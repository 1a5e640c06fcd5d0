/** Server rendering of the React app. */
import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'
import { App, type AppConfig, Lost } from './app'

export const renderApp = (config: AppConfig): string => renderToString(h(App, config))
export const renderLost = (): string => renderToString(h(Lost))
