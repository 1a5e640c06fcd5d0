/** Stands in for `foyer-sdk/vite` in a page, where there is no Node. */

/** @throws Error always, as the plugin itself does for what is wrong. */
export function foyer(): never {
  throw new Error(
    "unsupported: foyer-sdk/vite in a page. It is a plugin for vite.config.js. A page imports { Client } from 'foyer-sdk'",
  )
}
