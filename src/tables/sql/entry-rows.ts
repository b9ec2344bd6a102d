/** The names of the rows of a list in a query: that of the entry, and that of its target. */
export type EntryAliases = { readonly entry: string; readonly target: string }

/** Rows of a query: a `from` clause, and conditions. */
export type EntryRows = { readonly from: string; readonly conditions: readonly string[] }
