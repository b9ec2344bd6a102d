/** A command of a server, or a script with its keys and arguments; `key` determines the node of a cluster. */
export type Command =
  | { readonly key: string; readonly name: string; readonly args: readonly string[] }
  | {
      readonly key: string
      readonly script: string
      readonly keys: readonly string[]
      readonly args: readonly string[]
    }

/** Creates a command whose first argument is its only key. */
export const createCommand = (name: string, key: string, ...args: readonly string[]): Command => ({
  key,
  name,
  args: [key, ...args],
})

/** Creates a command that runs a script with at least one key. */
export const createScriptCommand = (
  script: string,
  keys: readonly [string, ...string[]],
  args: readonly string[],
): Command => ({ key: keys[0], script, keys, args })
