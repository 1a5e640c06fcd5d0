/** Panels of the inspector for snapshots of the state, and for deliveries of events. */
import { html, useState } from './preact.js'
import { control } from './inspector-api.js'
import { Panel } from './inspector-panel-frame.js'

export function Snapshots({ snapshots, act }) {
  const [name, setName] = useState('')
  const save = (event) => {
    event.preventDefault()
    void act('snapshots', { name }, `Saved the state as “${name}”.`)
    setName('')
  }
  const restore = (one) => act('snapshots/restore', { name: one }, `Restored “${one}”: players, commands and lobbies are as they were.`)
  const take = async ({ target }) => {
    const [file] = target.files
    const as = file.name.replace(/\.json$/, '')
    const snapshot = await file
      .text()
      .then(JSON.parse)
      .catch(() => null)
    await act('snapshots/import', { name: as, snapshot }, `Imported “${as}”. Restore it to use it.`)
    target.value = ''
  }
  return html`<${Panel} title="Snapshots">
    ${snapshots.length === 0 && html`<p class="empty">No snapshot is saved.</p>`}
    <ul>
      ${snapshots.map(
        ({ name: one, takenAt }) =>
          html`<li key=${one}>
            <strong>${one}</strong> <time datetime=${new Date(takenAt).toISOString()}>${new Date(takenAt).toLocaleString('en-GB')}</time>
            <div class="buttons">
              <button onClick=${() => restore(one)} aria-label=${`Restore ${one}`}>Restore</button>
              <button onClick=${() => download(one)} aria-label=${`Export ${one}`}>Export</button>
            </div>
          </li>`,
      )}
    </ul>
    <form class="one-line" onSubmit=${save}>
      <label
        >Name of a new snapshot <input value=${name} required maxlength="100" onInput=${(event) => setName(event.target.value)}
      /></label>
      <button>Save the state</button>
    </form>
    <label>Import a file <input type="file" accept="application/json,.json" onChange=${take} /></label>
    <p class="quiet">A file contains the players’ tokens of this emulator.</p>
  <//>`
}

async function download(name) {
  saveFile(`${name}.json`, JSON.stringify(await control('snapshots/export', { name })))
}

/** A link of its own, because a page cannot write files. */
function saveFile(name, text) {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}

export function Deliveries({ webhooks: { url, deliveries }, act }) {
  const [address, setAddress] = useState(url ?? '')
  const connect = (event) => {
    event.preventDefault()
    void act('webhooks/connect', { url: address }, `Events go to ${address}.`)
  }
  return html`<${Panel} title="Deliveries">
    <form class="one-line" onSubmit=${connect}>
      <label
        >Address for events
        <input
          type="url"
          value=${address}
          required
          placeholder="http://localhost:3000/events"
          onInput=${(event) => setAddress(event.target.value)}
      /></label>
      <button>Set the address</button>
    </form>
    ${deliveries.length === 0 && html`<p class="empty">No event was sent.</p>`}
    <ul>
      ${deliveries.toReversed().map((delivery) => html`<${Delivery} key=${delivery.id} delivery=${delivery} act=${act} />`)}
    </ul>
  <//>`
}

function Delivery({ delivery: { id, type, forged, state, attempts }, act }) {
  const last = attempts.at(-1)
  return html`<li class=${state === 'refused' ? 'refused' : ''}>
    <code>${type}</code>${forged && html` <span class="quiet">with a wrong signature</span>`} <strong>${state}</strong>
    <span class="quiet">${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}${last?.status ? `, ${last.status}` : ''}</span>
    ${last?.refused && html`<p>${last.refused}</p>`}
    ${type !== 'PING' && html`<button onClick=${() => act('webhooks/resend', { id }, `${type} was sent once more.`)}>Resend</button>`}
  </li>`
}
