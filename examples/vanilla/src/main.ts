import { Client, indexedDbStore } from 'foyer-sdk'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
const client = new Client({ applicationId, service: { host }, tokenStore: indexedDbStore() })
const $ = (id: string) => document.getElementById(id)!

client.on('sessionChanged', ({ session }) => {
  $('sign-in').textContent = session ? 'Sign out' : 'Sign in'
  $('player').textContent = session
    ? `Welcome, ${session.user.displayName ?? session.userId}!`
    : 'Sign in to play.'
})
$('sign-in').onclick = async () => {
  $('error').textContent = ''
  try {
    if (client.session) await client.signOut()
    else await client.signIn()
  } catch (error) {
    $('error').textContent = (error as Error).message
  }
}
await client.resume()
