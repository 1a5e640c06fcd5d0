/*:
 * @target MZ
 * @plugindesc Foyer: sign-in and lobbies. Turn on index.umd and foyer.engine above this plugin.
 * @url https://www.npmjs.com/package/foyer-sdk
 *
 * @help Copy index.umd.js, foyer.engine.js and this file into js/plugins/, and turn them on in this order. Copy callback.html and
 * callback.js beside index.html. Each command waits for its result: the switch is on if it succeeded, and the variable holds the value
 * (the player's ID for signIn) or the code of the error.
 *
 * @param applicationId
 * @text Application ID
 * @type string
 *
 * @param host
 * @text Address of the service
 * @type string
 *
 * @param eventVariable
 * @text Variable for events
 * @desc Holds the latest event as JSON, for example of a lobby message. 0: none.
 * @type variable
 * @default 0
 *
 * @command signIn
 * @text Sign in
 * @arg switch
 * @type switch
 * @arg variable
 * @type variable
 *
 * @command call
 * @text Call a method
 * @arg method
 * @type string
 * @arg args
 * @desc A JSON array, for example ["moon"].
 * @type string
 * @arg switch
 * @type switch
 * @arg variable
 * @type variable
 */
/* global PluginManager, Game_Interpreter, $gameSwitches, $gameVariables, Foyer */
;(() => {
  const NAME = 'Foyer'
  const { applicationId, host, eventVariable } = PluginManager.parameters(NAME)
  const pending = new Set()

  Foyer.engine.call(
    'init',
    JSON.stringify({ applicationId, service: { host }, tokenStore: 'indexedDbStore' }),
  )
  Foyer.engine.call('resume')
  Foyer.engine.on((json) => {
    if (Number(eventVariable) > 0 && $gameVariables) $gameVariables.setValue(Number(eventVariable), json)
  })

  function run(interpreter, { call, method, args }, target) {
    const id = Foyer.engine[call](method, args, (json) => {
      const { ok, value, error } = JSON.parse(json)
      pending.delete(id)
      const shown = method === 'signIn' && ok ? value.userId : value
      if (Number(target.variable) > 0)
        $gameVariables.setValue(Number(target.variable), ok ? shown : error.code)
      if (Number(target.switch) > 0) $gameSwitches.setValue(Number(target.switch), ok)
    })
    pending.add(id)
    interpreter.foyerCall = id
    interpreter.setWaitMode('foyer')
  }

  // The interpreter is saved with the game: a call of an earlier session is not pending any more, and the event continues.
  const updateWaitMode = Game_Interpreter.prototype.updateWaitMode
  Game_Interpreter.prototype.updateWaitMode = function () {
    if (this._waitMode !== 'foyer') return updateWaitMode.call(this)
    if (pending.has(this.foyerCall)) return true
    this.setWaitMode('')
    return false
  }

  PluginManager.registerCommand(NAME, 'signIn', function (args) {
    run(this, { call: 'callOnGesture', method: 'signIn', args: '' }, args)
  })
  PluginManager.registerCommand(NAME, 'call', function (args) {
    run(this, { call: 'call', method: args.method, args: args.args }, args)
  })
})()
