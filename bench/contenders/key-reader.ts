/** Runs the 71-node read for the viewer of a token, which is given by its key in the store. */
export type KeyReader = (key: string) => unknown
