import { Client, type Session } from 'foyer-sdk'

const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
// The backend is at the page's own address, and keeps the refresh token: the page has a cookie that it cannot read.
const client = new Client({ applicationId, service: { host }, backendSession: '/session' })
const $ = (id: string) => document.getElementById(id)!

async function play(started: Promise<Session | null>) {
  $('error').textContent = ''
  try {
    const session = await started
    if (!session) return
    const lobby = await client.createOrJoinLobby('moon')
    const response = await client.backend.fetch(`/api/lobbies/${lobby.id}`)
    const { members } = await response.json()
    const name = session.user.displayName ?? session.userId
    $('player').textContent = `Welcome, ${name}! The backend counts ${members} in your lobby.`
  } catch (error) {
    $('error').textContent = (error as Error).message
  }
}

$('sign-in').onclick = () => play(client.signIn())
await play(client.resume())
