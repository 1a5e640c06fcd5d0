/** Choice of a player, as a group of radio buttons. */
import { html } from 'hono/html'
import type { Page } from './document.js'
import type { Player } from '../seed/seed.js'

export function playerChoice(players: Player[], { legend, chosen }: { legend: string; chosen?: string | undefined }): Page {
  const first = players.some((player) => player.id === chosen) ? chosen : players[0]?.id
  return html`<fieldset>
    <legend>${legend}</legend>
    <div class="players">
      ${players.map(
        (player) =>
          html`<label class="player">
            <input type="radio" name="as" value="${player.id}" required ${player.id === first ? 'checked' : ''} />
            <img src="/avatars/${player.id}.svg" alt="" width="44" height="44" />
            <span class="name"><b>${player.globalName ?? player.username}</b> <span>${player.username}</span></span>
          </label>`,
      )}
    </div>
  </fieldset>`
}
