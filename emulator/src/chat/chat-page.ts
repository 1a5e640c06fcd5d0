/** HTML document of the chat page; its script renders the content. */
import { html } from 'hono/html'
import { frame, type Page } from '../pages/html-document.js'

export function chatDocument(applicationName: string): Page {
  return frame(
    { title: `Chat with ${applicationName}`, icon: '/assets/icon.svg', style: '/chat/assets/chat.css' },
    html`<div id="chat"><noscript>The chat page needs scripts.</noscript></div>
      <script type="module" src="/chat/assets/chat.js"></script>`,
  )
}
