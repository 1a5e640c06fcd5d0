-- KEYS: a hash with a text.

local text = redis.call('HGET', KEYS[1], 't')
redis.call('DEL', KEYS[1])
return text
