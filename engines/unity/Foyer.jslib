// Unity: copy into Assets/Plugins/WebGL/. Bridge between Foyer.cs and Foyer.engine; ES5, as Unity's compiler of older versions requires.
mergeInto(LibraryManager.library, {
  $FoyerQueue: { messages: [] },

  FoyerCall: function (method, args) {
    if (typeof Foyer === 'undefined' || !Foyer.engine) return 0
    return Foyer.engine.call(UTF8ToString(method), UTF8ToString(args), null)
  },

  FoyerCallOnGesture: function (method, args) {
    if (typeof Foyer === 'undefined' || !Foyer.engine) return 0
    return Foyer.engine.callOnGesture(UTF8ToString(method), UTF8ToString(args), null)
  },

  FoyerCancel: function (id) {
    Foyer.engine.cancel(id)
  },

  FoyerNext__deps: ['$FoyerQueue'],
  // Returns the next message, or an empty string. Unity frees the memory of a returned string.
  FoyerNext: function () {
    if (FoyerQueue.messages.length === 0 && typeof Foyer !== 'undefined' && Foyer.engine)
      FoyerQueue.messages = JSON.parse(Foyer.engine.poll())
    var text = FoyerQueue.messages.length > 0 ? JSON.stringify(FoyerQueue.messages.shift()) : ''
    var size = lengthBytesUTF8(text) + 1
    var pointer = _malloc(size)
    stringToUTF8(text, pointer, size)
    return pointer
  },
})
