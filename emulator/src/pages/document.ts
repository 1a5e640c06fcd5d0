/** HTML document of every page: one heading, one main landmark, no required scripts. */
import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { CONNECTION_SCRIPT, LOOK_PATH, STYLE_PATH, TOKENS_PATH } from './page-policy.js'
import { plainHeader } from './site-header.js'

/** Escaped HTML; the template tag escapes all values. */
export type Page = HtmlEscapedString | Promise<HtmlEscapedString>

export interface Content {
  /** Heading; also the title of the document. */
  heading: string
  intro?: Page | string
  body?: Page | string
  tone?: 'plain' | 'good' | 'bad'
  /** Default: one without links. */
  header?: Page
}

export function document({ heading, intro = '', body = '', tone = 'plain', header = plainHeader() }: Content): Page {
  return frame(
    { title: heading, icon: '/assets/icon.svg', styles: [TOKENS_PATH, LOOK_PATH, STYLE_PATH] },
    html`${header}
      <main class="card ${tone}">
        <h1>${heading}</h1>
        ${intro === '' ? '' : html`<p class="intro">${intro}</p>`} ${body}
      </main>
      <script type="module" src="${CONNECTION_SCRIPT}"></script>`,
  )
}

/** Document around the body of each page, of this server and of the Activity host. */
export function frame({ title, icon, styles }: { title: string; icon: string; styles: string[] }, body: Page): Page {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} – Foyer emulator</title>
        <link rel="icon" href="${icon}" />
        ${styles.map((style) => html`<link rel="stylesheet" href="${style}" />`)}
      </head>
      <body>
        ${body}
      </body>
    </html>`
}
