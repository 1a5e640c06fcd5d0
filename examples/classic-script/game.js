var client = new Foyer.Client({
  applicationId: '1287654321098765433', // the emulator's; later your own
  service: { host: 'http://127.0.0.1:4320' }, // the emulator's; later the service's https:// address
})

document.getElementById('sign-in').onclick = function () {
  client.signIn().then(
    function (session) {
      document.getElementById('player').textContent = 'Welcome, ' + (session.user.displayName || session.userId) + '!'
    },
    function (error) {
      document.getElementById('player').textContent = error.message
    },
  )
}
