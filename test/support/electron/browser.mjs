/** System browser of the tests: `xdg-open` starts it with a URL. It approves on the consent page and follows the redirect. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import process from 'node:process'

const { behaviour, journal } = JSON.parse(process.env['BROWSER_ROLE'])
const {
  as = 'ada',
  deny = false,
  hold = false,
  controlToken,
  emulator,
} = JSON.parse(readFileSync(behaviour, 'utf8'))
const [, , url] = process.argv
const note = (entry) => appendFileSync(journal, `${JSON.stringify(entry)}\n`)

if (hold) note({ url })
else {
  const response = await fetch(`${emulator}/_emulator/authorize`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, as, deny }),
  })
  const { redirect } = await response.json()
  if (redirect.startsWith('http:')) note({ url, redirect, page: await (await fetch(redirect)).text() })
  else {
    note({ url, redirect })
    execFileSync('xdg-open', [redirect])
  }
}
