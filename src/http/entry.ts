/** A parameter as it is sent: its name and its text. */
export type Entry = readonly [name: string, text: string]
