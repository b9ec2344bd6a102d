/** The keys and the arguments of a part of a script that consists of other scripts. */
export type ScriptPart = { readonly keys: readonly string[]; readonly args: readonly string[] }

export const EMPTY_PART: ScriptPart = { keys: [], args: [] }

/** Encodes the arguments of parts: the numbers of keys and arguments of each part, and then its arguments. */
export const encodeParts = (parts: readonly ScriptPart[]): readonly string[] =>
  parts.flatMap(({ keys, args }) => [`${keys.length}`, `${args.length}`, ...args])

/** Lua: returns the keys and the arguments of the next part. */
export const NEXT_PART = `
local keyAt, argAt = 0, 0
local function nextPart()
  local keyCount, argCount = tonumber(ARGV[argAt + 1]), tonumber(ARGV[argAt + 2])
  local keys, args = {}, {}
  for at = 1, keyCount do keys[at] = KEYS[keyAt + at] end
  for at = 1, argCount do args[at] = ARGV[argAt + 2 + at] end
  keyAt, argAt = keyAt + keyCount, argAt + 2 + argCount
  return keys, args
end
`

/**
 * Lua: returns whether sides are as they were read. The arguments are the number of expected cells, the cells
 * without the first one, and then those of \`readSides\`.
 */
export const ARE_SIDES_EQUAL = `
local function areSidesEqual(keys, args)
  local cells, readArgs = tonumber(args[1]), {}
  for at = 2 + cells, #args do readArgs[at - 1 - cells] = args[at] end
  local found = readSides(keys, readArgs)
  for at = 1, cells do
    if found[at + 1] ~= args[at + 1] then return false end
  end
  return true
end
`
