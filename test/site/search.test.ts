/** Search of the built manual: words of newcomers lead to the right page, and a hostile word is only a word. */
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { axeFaults } from '../browser/demo-page'
import { serveBuiltSite } from '../support/built-site'
import { launchChromium } from '../support/chromium'

let browser: Browser
let site: Awaited<ReturnType<typeof serveBuiltSite>>
let page: Page
beforeAll(async () => {
  browser = await launchChromium()
  site = await serveBuiltSite()
  page = await browser.newPage()
  await page.goto(new URL('words.html', site.url).href)
  await page.keyboard.press('Control+k')
  await page.locator('.search-input').waitFor()
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

/** Pages of the first three results, in order. */
async function firstThree(words: string): Promise<string[]> {
  await page.locator('.search-input').fill('')
  await expect.poll(() => page.locator('.result').count()).toBe(0)
  await page.locator('.search-input').fill(words)
  await page.locator('.result').first().waitFor()
  const links = await page
    .locator('.result')
    .evaluateAll((found) => found.slice(0, 3).map((each) => each.getAttribute('href') ?? ''))
  return links.map((link) => link.replace(/#.*/, '').slice(1))
}

test.each([
  ['popup blocked', /(?:^| )(?:faq|sign-in)\.html/],
  ['sign in', /(?:^| )(?:tutorial|sign-in)\.html/],
  ['signed out after reload', /(?:^| )(?:faq|sessions)\.html/],
  ['stored session', /(?:^| )(?:faq|sessions)\.html/],
  ['create lobby', /(?:^| )(?:tutorial|lobbies)\.html/],
  ['chat', /(?:^| )(?:chat|tutorial)\.html/],
  ['invite a friend', /(?:^| )(?:invitations|tutorial)\.html/],
  ['429', /(?:^| )(?:faq|rate-limits)\.html/],
  ['unity', /(?:^| )engines\.html/],
  ['godot', /(?:^| )engines\.html/],
  ['react hooks', /(?:^| )frameworks\.html/],
  ['electron', /(?:^| )electron\.html/],
  ['client secret', /(?:^| )(?:faq|backend-session)\.html/],
  ['slash command', /(?:^| )(?:commands|interactions|chat)\.html/],
  ['activities', /(?:^| )activity\.html/],
  ['playwright', /(?:^| )testing\.html/],
  ['content security policy', /(?:^| )(?:shipping|deploy)\.html/],
  ['socket.io', /(?:^| )netcode\.html/],
  ['UpdateRichPresence', /(?:^| )native-sdk\.html/],
  ['emulator', /(?:^| )emulator\.html/],
  ['redirect uri', /(?:^| )(?:faq|sign-in)\.html/],
  ['next.js', /(?:^| )backend-frameworks\.html/],
  ['docker', /(?:^| )deploy\.html/],
  ['nobody sees me leave', /(?:^| )(?:faq|lobbies)\.html/],
  // Words of other libraries.
  ['patchUrlMappings', /(?:^| )from-embedded-sdk\.html/],
  ['getInstanceConnectedParticipants', /(?:^| )from-embedded-sdk\.html/],
  ['openInviteDialog', /(?:^| )from-embedded-sdk\.html/],
  ['setActivity', /(?:^| )from-(?:rpc-client|embedded-sdk)\.html/],
  ['discord-rpc', /(?:^| )from-rpc-client\.html/],
  ['oidc-client-ts', /(?:^| )from-oauth\.html/],
  ['auth0', /(?:^| )from-oauth\.html/],
  ['better-auth', /(?:^| )from-oauth\.html/],
  ['getTokenSilently', /(?:^| )from-oauth\.html/],
  ['discord.js', /(?:^| )(?:from-discord-js|emulator-bots)\.html/],
  ['SlashCommandBuilder', /(?:^| )from-discord-js\.html/],
  ['CreateOrJoinLobby', /(?:^| )(?:native-sdk|lobbies)\.html/],
  ['GetProvisionalToken', /(?:^| )(?:native-sdk|accounts)\.html/],
  // Symptoms and mistakes.
  ['environment variables', /(?:^| )environment\.html/],
  ['bot token not set', /(?:^| )environment\.html/],
  ['cors', /(?:^| )(?:faq|errors|backend-session|shipping)\.html/],
  ['popup closes by itself', /(?:^| )(?:faq|sign-in)\.html/],
  ['works locally not in production', /(?:^| )(?:faq|deploy)\.html/],
  ['port already in use', /(?:^| )(?:faq|emulator)\.html/],
  ['same player in two tabs', /(?:^| )(?:faq|sessions|emulator-players)\.html/],
  ['cheating', /(?:^| )(?:netcode|faq|lobbies)\.html/],
  ['matchmaking', /(?:^| )(?:lobbies|faq)\.html/],
  ['kick a player', /(?:^| )(?:lobbies|backend|faq)\.html/],
  ['avatar', /(?:^| )(?:sessions|faq)\.html/],
  ['cloudflare workers', /(?:^| )hosting\.html/],
  ['three.js', /(?:^| )engines\.html/],
  ['pinia', /(?:^| )frameworks\.html/],
  ['test a bot', /(?:^| )(?:emulator-only|emulator-bots|chat|testing)\.html/],
  // Searches of newcomers who had not read the manual, with their typos, words of other libraries and texts of the console.
  ['getting started', /(?:^| )tutorial\.html/],
  ['login with discord button', /(?:^| )(?:sign-in|tutorial)\.html/],
  ['oauth pkce single page app', /(?:^| )(?:from-oauth|sign-in|another-service)\.html/],
  ['invalid redirect_uri', /(?:^| )(?:faq|sign-in)\.html/],
  ['blocked by CORS policy', /(?:^| )(?:faq|errors)\.html/],
  ['refused to connect content security policy', /(?:^| )(?:activity|faq)\.html/],
  ['429 too many requests', /(?:^| )(?:rate-limits|faq)\.html/],
  ['401 unauthorized after a while', /(?:^| )(?:sessions|faq)\.html/],
  ['Uncaught TypeError: Failed to fetch', /(?:^| )(?:faq|errors)\.html/],
  ['error invalid_grant', /(?:^| )(?:errors|faq|sessions)\.html/],
  ['state mismatch after redirect', /(?:^| )(?:faq|errors|sign-in)\.html/],
  ['how do i create a lobby', /(?:^| )(?:lobbies|tutorial)\.html/],
  ['join lobby with code', /(?:^| )(?:lobbies|invitations|tutorial)\.html/],
  ['invite link to lobby', /(?:^| )invitations\.html/],
  ['lobby max players', /(?:^| )(?:lobbies|interface\/lobbies)\.html/],
  ['lobby metadata size limit', /(?:^| )(?:lobbies|interface\/lobbies)\.html/],
  ['send chat message', /(?:^| )(?:lobbies|tutorial)\.html/],
  ['someone left lobby event', /(?:^| )(?:lobbies|faq)\.html/],
  ['kick player', /(?:^| )(?:faq|lobbies)\.html/],
  ['do lobbies expire', /(?:^| )(?:lobbies|faq)\.html/],
  ['DiscordSDK ready()', /(?:^| )from-embedded-sdk\.html/],
  ['photon JoinOrCreateRoom', /(?:^| )(?:words|lobbies)\.html/],
  ['steam lobby SetLobbyData', /(?:^| )(?:words|lobbies)\.html/],
  ['firebase onAuthStateChanged', /(?:^| )(?:words|sessions|from-oauth)\.html/],
  ['SlashCommandBuilder example', /(?:^| )from-discord-js\.html/],
  ['slash command not showing up', /(?:^| )(?:faq|commands)\.html/],
  ['interaction failed button', /(?:^| )(?:interactions|faq)\.html/],
  ['verify request signature ed25519', /(?:^| )interactions\.html/],
  ['where are tokens stored', /(?:^| )sessions\.html/],
  ['keep user logged in after refresh', /(?:^| )(?:sessions|faq|tutorial)\.html/],
  ['express session cookie backend', /(?:^| )(?:backend-session|backend-frameworks)\.html/],
  ['log out revoke token', /(?:^| )sessions\.html/],
  ['mock for unit tests vitest', /(?:^| )(?:testing|emulator-tests)\.html/],
  ['electorn login', /(?:^| )electron\.html/],
  ['tauri deep link callback', /(?:^| )shells\.html/],
  ['unity webgl jslib', /(?:^| )engines\.html/],
  ['godot html5 export', /(?:^| )engines\.html/],
  ['in app purchse entitlement', /(?:^| )purchases\.html/],
  ['test activty on localhost', /(?:^| )(?:emulator-activities|activity|from-embedded-sdk)\.html/],
  ['is there a rate limt?', /(?:^| )rate-limits\.html/],
  // Searches of newcomers from other platforms.
  ['login not working', /(?:^| )(?:faq|sign-in)\.html/],
  ['how to get user id', /(?:^| )sessions\.html/],
  ['avatar url', /(?:^| )(?:sessions|faq)\.html/],
  ['refresh token', /(?:^| )(?:sessions|faq)\.html/],
  ['stay logged in', /(?:^| )sessions\.html/],
  ['logout', /(?:^| )sessions\.html/],
  ['anonymous login', /(?:^| )(?:accounts|words)\.html/],
  ['device id login', /(?:^| )accounts\.html/],
  ['leaderboard', /(?:^| )faq\.html/],
  ['friends list', /(?:^| )faq\.html/],
  ['rich presence', /(?:^| )(?:activity|from-rpc-client|desktop)\.html/],
  ['voice chat', /(?:^| )faq\.html/],
  ['lobby owner left', /(?:^| )faq\.html/],
  ['in-app purchases', /(?:^| )purchases\.html/],
  ['electron deep link', /(?:^| )electron\.html/],
  ['contextIsolation preload', /(?:^| )electron\.html/],
  ['slash commands', /(?:^| )(?:commands|interactions|from-discord-js)\.html/],
  ['bot token', /(?:^| )(?:faq|environment)\.html/],
  ['verify jwt backend', /(?:^| )backend\.html/],
  ['invalid_client', /(?:^| )(?:faq|errors)\.html/],
  ['loginWithRedirect', /(?:^| )(?:from-oauth|sign-in)\.html/],
  ['websocket multiplayer sync', /(?:^| )netcode\.html/],
  ['unity webgl exmaple', /(?:^| )engines\.html/],
  ['how do i deploy', /(?:^| )deploy\.html/],
  ['mock server testing', /(?:^| )(?:testing|emulator-tests|emulator-only)\.html/],
  ['GetAuthSessionTicket', /(?:^| )(?:backend|netcode|words)\.html/],
  ['typescript types error', /(?:^| )faq\.html/],
  ['nakama match state', /(?:^| )(?:lobbies|netcode)\.html/],
  ['env variables vite', /(?:^| )(?:vite|environment)\.html/],
  ['safari not supported', /(?:^| )browsers\.html/],
])('"%s" leads to %s among the first three results', async (words, expected) => {
  const found = await firstThree(words)
  expect(found.join(' ')).toMatch(expected)
})

test('markup in the search field is text', async () => {
  const box = page.locator('.VPLocalSearchBox')
  await page.locator('.search-input').fill('<img src=x onerror="window.broken = true">')
  await page.locator('.no-results, .result').first().waitFor()
  expect(await box.locator('img').count()).toBe(0)
  expect(await page.evaluate(() => 'broken' in window)).toBe(false)
})

test('the search has no fault that axe-core finds, but for roles of VitePress', async () => {
  await firstThree('lobby')
  expect((await axeFaults(page)).filter((fault) => !fault.startsWith('nested-interactive'))).toEqual([])
})
