import { Client, indexedDbStore } from 'foyer-sdk'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
// The backend is at the page's own address: Vite passes on what begins with /api.
const client = new Client({ applicationId, service: { host }, backendOrigins: [location.origin], tokenStore: indexedDbStore() })
const $ = (id: string) => document.getElementById(id)!

$('sign-in').onclick = async () => {
  $('error').textContent = ''
  try {
    const { user, userId } = await client.signIn()
    const { id } = await client.createOrJoinLobby('moon')
    const { members } = await (await client.backend.fetch(`/api/lobbies/${id}`)).json()
    $('player').textContent = `Welcome, ${user.displayName ?? userId}! The backend counts ${members} in your lobby.`
  } catch (error) {
    $('error').textContent = (error as Error).message
  }
}
