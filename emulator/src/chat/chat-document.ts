/** HTML document of the chat page; its script renders the content. */
import { html } from 'hono/html'
import { frame, type Page } from '../pages/document.js'
import { siteHeader, type SiteLinks } from '../pages/site-header.js'

export function chatDocument(applicationName: string, links: SiteLinks): Page {
  return frame(
    {
      title: `Chat with ${applicationName}`,
      icon: '/assets/icon.svg',
      styles: ['tokens', 'look', 'chat', 'chat-message', 'chat-form'].map((name) => `/assets/${name}.css`),
    },
    html`${siteHeader('Chat', links)}
      <div id="chat"><noscript>The chat page needs scripts.</noscript></div>
      <script type="module" src="/assets/chat.js"></script>`,
  )
}
