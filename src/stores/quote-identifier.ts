/** Quotes the name of a table, a column or a schema for SQL. */
export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`
