/** One of those that are timed: `call` does the work once, for one of the viewers in turn. */
export type Contender = { readonly name: string; call(turn: number): unknown }

/** Answers the social reads for a viewer, in a way of its own. */
export type SocialReader = {
  readonly name: string
  getMe(viewer: string): unknown
  getPhotos(viewer: string): unknown
}

/** One that also answers the read with the times of photos and comments. */
export type DatedReader = SocialReader & { getDatedPhotos(viewer: string): unknown }
