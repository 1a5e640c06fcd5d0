/// Script asset. Call foyer_step() in a Step event of a persistent object; foyer_request() anywhere.

global.foyer_pending = {};
global.foyer_on_event = function(_name, _data) {};

/// @param {string} method  @param {array} args  @param {function} done  receives { ok, value } or { ok, error: { code } }
function foyer_request(_method, _args, _done) {
    var _id = foyer_call(_method, json_stringify(_args));
    global.foyer_pending[$ string(_id)] = _done;
    return _id;
}

/// For signIn: inside the player's current or next click, since a browser blocks other popups.
function foyer_request_on_gesture(_method, _args, _done) {
    var _id = foyer_call_on_gesture(_method, json_stringify(_args));
    global.foyer_pending[$ string(_id)] = _done;
    return _id;
}

function foyer_step() {
    var _messages = json_parse(foyer_poll());
    for (var _i = 0; _i < array_length(_messages); _i++) {
        var _message = _messages[_i];
        if (struct_exists(_message, "event")) {
            global.foyer_on_event(_message[$ "event"], _message[$ "data"]);
            continue;
        }
        var _key = string(_message[$ "id"]);
        if (!struct_exists(global.foyer_pending, _key)) continue;
        var _done = global.foyer_pending[$ _key];
        struct_remove(global.foyer_pending, _key);
        _done(_message);
    }
}
