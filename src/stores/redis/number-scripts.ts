/**
 * Reads the numbers of all mirrored edges from one node to another one. KEYS: record, list names, numbers. ARGV:
 * the member of the other node. Returns the end of the record (empty if there is no node), and then the name and
 * the number of each edge.
 */
export const READ_NUMBERS_SCRIPT = `
local reply = { redis.call('GETRANGE', KEYS[1], -20, -1) }
for _, name in ipairs(redis.call('SMEMBERS', KEYS[2])) do
  local number = redis.call('HGET', KEYS[3], ARGV[1] .. ' ' .. name)
  if number then
    table.insert(reply, name)
    table.insert(reply, number)
  end
end
return reply
`
