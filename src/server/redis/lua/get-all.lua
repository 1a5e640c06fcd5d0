-- KEYS: hashes with a text.

local texts = {}
for i, key in ipairs(KEYS) do texts[i] = redis.call('HGET', key, 't') end
return texts
