/** Pages of `/activate`: entering and confirming a user code, and the result. */
import { html } from 'hono/html'
import { document, type Page } from './document.js'

interface CodeForm {
  xsrf: string
  userCode: string
  problem: string | undefined
}

export function deviceCodePage({ xsrf, userCode, problem }: CodeForm): Page {
  return document({
    heading: 'Connect a device',
    intro: 'Type the code that the game shows on its screen.',
    body: html`<form method="post" action="/activate">
      <input type="hidden" name="xsrf" value="${xsrf}" />
      ${problem === undefined ? '' : html`<p class="problem" role="alert">This code was not accepted: ${problem}.</p>`}
      <label class="field"
        >Code
        <input
          class="code"
          name="user_code"
          value="${userCode}"
          required
          autocomplete="one-time-code"
          autocapitalize="characters"
          spellcheck="false"
          enterkeyhint="go"
          maxlength="16"
      /></label>
      <div class="actions"><button class="primary">Continue</button></div>
    </form>`,
  })
}

export function deviceConfirmPage({
  xsrf,
  name,
  userCode,
}: {
  xsrf: string
  name: string
  userCode: string
}): Page {
  return document({
    heading: 'Is this your device?',
    intro: html`A device wants to sign in to <b>${name}</b>. Go on only if it shows this code:`,
    body: html`<p class="code">${userCode}</p>
      <form method="post" action="/activate">
        <input type="hidden" name="xsrf" value="${xsrf}" />
        <input type="hidden" name="user_code" value="${userCode}" />
        <div class="actions">
          <button class="primary" name="confirm" value="yes">Yes, continue</button>
          <button name="abort" value="yes">No</button>
        </div>
      </form>`,
  })
}

export function deviceDonePage(): Page {
  return document({
    heading: 'Device connected',
    intro: 'The game goes on by itself. You can close this window.',
    tone: 'good',
  })
}

export function deviceRefusedPage(): Page {
  return document({
    heading: 'Device not connected',
    intro: 'The game was told that you denied the request. You can close this window.',
  })
}
