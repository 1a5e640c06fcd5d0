/** Pages to install the application in a guild or for a user. */
import { html } from 'hono/html'
import { document, type Page, playerChoice } from './document.js'
import type { Scope } from '../../model/scope.js'
import type { Guild, Player } from '../../state/seed/seed.js'

/** Path of the result page. */
export const INSTALLED_PATH = '/oauth2/installed'

export interface Install {
  applicationName: string
  players: Player[]
  guilds: Guild[]
  scopes: Scope[]
  /** Preselected by the link; the player may choose the other. */
  integrationType: 'guild' | 'user'
  guildId: string | undefined
  /** The link fixes the guild (`disable_guild_select`). */
  guildFixed?: boolean
  problem?: string | undefined
}

export function installPage(install: Install): Page {
  const { applicationName, players, scopes, problem } = install
  return document({
    heading: `Install ${applicationName}`,
    intro: html`Adds <b>${applicationName}</b> to a guild or to an account. Nobody signs in, and no code is
      given.`,
    body: html`<form method="post" class="answer">
      ${problem === undefined ? '' : html`<p class="problem" role="alert">${problem}</p>`}
      ${playerChoice(players, { legend: 'Install as' })} ${placeChoice(install)}
      <section aria-labelledby="scopes">
        <h2 id="scopes">It will be able to</h2>
        <ul class="scopes">
          ${scopes.map((scope) => html`<li>${scope.description} <code>${scope.name}</code></li>`)}
        </ul>
      </section>
      <div class="actions">
        <button class="primary" name="decision" value="approve">Install</button>
        <button name="decision" value="deny" formnovalidate>Cancel</button>
      </div>
    </form>`,
  })
}

function placeChoice(install: Install): Page {
  const forGuild = install.integrationType === 'guild' && install.guilds.length > 0
  return html`<fieldset>
    <legend>Install in</legend>
    <div class="places">
      ${install.guilds.length === 0 ? '' : guildPlace(install, forGuild ? 'checked' : '')}
      <div class="place">
        <label
          ><input type="radio" name="integration_type" value="1" required ${forGuild ? '' : 'checked'} /> The
          player’s own account</label
        >
      </div>
    </div>
  </fieldset>`
}

function guildPlace(install: Install, checked: 'checked' | ''): Page {
  return html`<div class="place">
    <label><input type="radio" name="integration_type" value="0" required ${checked} /> A guild</label>
    ${guildSelect(install)}
  </div>`
}

function guildSelect({ guilds, guildId, guildFixed = false }: Install): Page {
  const offered =
    guildFixed && guildId !== undefined ? guilds.filter((guild) => guild.id === guildId) : guilds
  return html`<select name="guild_id" aria-label="Guild">
    ${offered.map((guild) => html`<option value="${guild.id}" ${guild.id === guildId ? 'selected' : ''}>${guild.name}</option>`)}
  </select>`
}

export function installedPage(applicationName: string, place: string): Page {
  return document({
    heading: 'Installed',
    intro: html`<b>${applicationName}</b> is now in <b>${place}</b>. You can close this window.`,
    tone: 'good',
  })
}

export function notInstalledPage(applicationName: string): Page {
  return document({
    heading: 'Not installed',
    intro: html`Cancelled: <b>${applicationName}</b> was not added anywhere. You can close this window.`,
  })
}
