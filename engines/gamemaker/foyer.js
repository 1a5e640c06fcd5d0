// GameMaker (HTML5): add it to an extension, with the functions below (foyer_call and foyer_call_on_gesture: two strings, return a number;
// foyer_cancel: a number; foyer_poll: returns a string). The page's template loads index.umd.js and foyer.engine.js before.
/* exported foyer_call, foyer_call_on_gesture, foyer_cancel, foyer_poll */
function foyer_call(method, args) {
  return Foyer.engine.call(method, args, null)
}

function foyer_call_on_gesture(method, args) {
  return Foyer.engine.callOnGesture(method, args, null)
}

function foyer_cancel(id) {
  Foyer.engine.cancel(id)
  return 0
}

function foyer_poll() {
  return Foyer.engine.poll()
}
