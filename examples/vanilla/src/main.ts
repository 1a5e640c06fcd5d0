import { Client, indexedDbStore } from 'foyer-sdk'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
const client = new Client({ applicationId, service: { host }, tokenStore: indexedDbStore() })
const $ = (id: string) => document.getElementById(id)!

client.on('sessionChanged', ({ session }) => {
  $('sign-in').textContent = session ? 'Sign out' : 'Sign in'
  $('player').textContent = session ? `Welcome, ${session.user.displayName ?? session.userId}!` : 'Sign in to play.'
})
$('sign-in').onclick = () => {
  $('error').textContent = ''
  const done = client.session ? client.signOut() : client.signIn()
  done.catch((error) => ($('error').textContent = error.message))
}
await client.resume()
