/** HTML document of the chat page; its script renders the content. */
import { html } from 'hono/html'
import type { Page } from '../pages/html-document.js'

export function chatDocument(applicationName: string): Page {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>Chat with ${applicationName} – Foyer emulator</title>
        <link rel="icon" href="/assets/icon.svg" />
        <link rel="stylesheet" href="/chat/assets/chat.css" />
      </head>
      <body>
        <div id="chat"><noscript>The chat page needs scripts.</noscript></div>
        <script type="module" src="/chat/assets/chat.js"></script>
      </body>
    </html>`
}
