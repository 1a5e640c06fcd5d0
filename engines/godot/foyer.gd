# Godot 4: copy it into the project, and add it as the autoload "Foyer" (Project Settings, Globals).
extends Node

## An event of the client, such as "lobbyMessage".
signal event(name: String, data: Variant)
signal _answered(message: Dictionary)

var _engine: JavaScriptObject = null


func _ready() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	if not OS.has_feature("web"):
		return
	var page: JavaScriptObject = JavaScriptBridge.get_interface("Foyer")
	if page != null:
		_engine = page.engine


func _process(_delta: float) -> void:
	if _engine == null:
		return
	# `call` is a method of every Godot object: its first argument names the function in JavaScript.
	for message: Dictionary in JSON.parse_string(_engine.call("poll")):
		if message.has("event"):
			event.emit(message.event, message.data)
		else:
			_answered.emit(message)


## Calls a method of the client: var result := await Foyer.request("createOrJoinLobby", ["moon"])
## The result has `ok`, and `value` or `error` with a `code`.
func request(method: String, args: Array = []) -> Dictionary:
	return await _request("call", method, args)


## Like `request`, inside the player's current or next click: use it for signIn, since a browser blocks other popups.
func request_on_gesture(method: String, args: Array = []) -> Dictionary:
	return await _request("callOnGesture", method, args)


## Starts a call whose effect lasts, such as lobby.watch. Returns its id for `cancel`.
func start(method: String, args: Array = []) -> int:
	return 0 if _engine == null else int(_engine.call("call", method, JSON.stringify(args)))


## Aborts a call, or stops what it has started.
func cancel(id: int) -> void:
	if _engine != null:
		_engine.call("cancel", id)


func _request(function: String, method: String, args: Array) -> Dictionary:
	if _engine == null:
		return {"ok": false, "error": {"code": "unsupported", "message": "The page does not load index.umd.js and foyer.engine.js."}}
	var id := int(_engine.call(function, method, JSON.stringify(args)))
	while true:
		var message: Dictionary = await _answered
		if int(message.id) == id:
			return message
	return {}
