/** The people of the sample data. In a real service, each person has a page and a token of their own. */
export const VIEWERS = ['ada', 'ben', 'cleo', 'dov', 'esme'] as const

export type Viewer = (typeof VIEWERS)[number]

export const tokenOf = (viewer: Viewer): string => `token-of-${viewer}`
