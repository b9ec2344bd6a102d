/** A parameter as it was sent: its name and its text. */
export type RawParameter = readonly [name: string, text: string]
