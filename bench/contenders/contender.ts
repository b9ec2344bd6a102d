/** A measured implementation. Each `call` does the work once. Consecutive turns use different viewers. */
export type Contender = { readonly name: string; call(turn: number): unknown }

/** An implementation of the social reads for a viewer. */
export type SocialReader = {
  readonly name: string
  getMe(viewer: string): unknown
  getPhotos(viewer: string): unknown
}

/** A reader that also reads photos and comments with their times. */
export type DatedReader = SocialReader & { getDatedPhotos(viewer: string): unknown }
