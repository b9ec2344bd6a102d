/** Runs the query for 71 nodes. The key of a stored token identifies the viewer. */
export type KeyReader = (key: string) => unknown
