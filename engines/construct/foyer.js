// Construct 3: add it as a script of purpose "Main script", and index.umd.js, foyer.engine.js, callback.html and callback.js as files.
// Set "Use worker" to "No": a worker opens no window.
//
// Event sheets: the action "Run JavaScript" calls foyer('signIn'), and the functions of these names, if they exist, receive
// - On Foyer result: method, 1 or 0, the value or the code of the error; both as text
// - On Foyer event: name, data as JSON

/* global runOnStartup, Foyer */
const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

runOnStartup(async (runtime) => {
  await runtime.assets.loadScripts('index.umd.js', 'foyer.engine.js')
  const send = (name, ...values) => {
    try {
      runtime.callFunction(name, ...values)
    } catch {
      // An event sheet need not have every function.
    }
  }
  Foyer.engine.on((json) => {
    const { event, data } = JSON.parse(json)
    send('On Foyer event', event, JSON.stringify(data))
  })
  // Construct runs event sheets in the frame after the input, so a sign-in waits for a gesture.
  globalThis.foyer = (method, ...args) => {
    const call = method === 'signIn' ? 'callOnGesture' : 'call'
    return Foyer.engine[call](method, JSON.stringify(args), (json) => {
      const { ok, value, error } = JSON.parse(json)
      send('On Foyer result', method, ok ? 1 : 0, ok ? text(value) : error.code)
    })
  }
})
