/** A command of a server, or a script to be run with keys and arguments; `key` says which node of a cluster gets it. */
export type Command =
  | { readonly key: string; readonly name: string; readonly args: readonly string[] }
  | {
      readonly key: string
      readonly script: string
      readonly keys: readonly string[]
      readonly args: readonly string[]
    }

/** A command whose first argument is its only key. */
export const command = (name: string, key: string, ...args: readonly string[]): Command => ({
  key,
  name,
  args: [key, ...args],
})

/** A script, and its keys, of which there is at least one. */
export const runScript = (
  script: string,
  keys: readonly [string, ...string[]],
  args: readonly string[],
): Command => ({ key: keys[0], script, keys, args })
