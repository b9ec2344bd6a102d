/** Answers the 71-node read to whom a token, given by its key in the store, stands for. */
export type KeyReader = (key: string) => unknown
