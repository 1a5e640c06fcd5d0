const client = new Foyer.Client({
  applicationId: '1287654321098765433', // the emulator's; later your own
  service: { host: 'http://127.0.0.1:4320' }, // the emulator's; later the service's https:// address
})
const player = document.getElementById('player')

client.on('sessionChanged', ({ session }) => {
  player.textContent = session ? `Welcome, ${session.user.displayName ?? session.userId}!` : ''
})
document.getElementById('sign-in').onclick = () =>
  client.signIn().catch((error) => (player.textContent = error.message))
