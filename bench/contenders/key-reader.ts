/** Runs the query for 71 nodes. The viewer is given by the key of a token in the store. */
export type KeyReader = (key: string) => unknown
