import { Client, indexedDbStore } from 'foyer-sdk'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
const client = new Client({ applicationId, service: { host }, tokenStore: indexedDbStore() })
const button = document.querySelector('#sign-in')
const player = document.querySelector('#player')

client.on('sessionChanged', ({ session }) => {
  button.textContent = session ? 'Sign out' : 'Sign in'
  player.textContent = session ? `Welcome, ${session.user.displayName ?? session.userId}!` : ''
})
button.onclick = () => {
  const done = client.session ? client.signOut() : client.signIn()
  done.catch((error) => (player.textContent = error.message))
}
await client.resume()
