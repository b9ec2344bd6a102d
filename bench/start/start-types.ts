import type { SocialData } from '../data/social-data.ts'

/** The input of a starting process: the viewer, the token, its digest, and the secret. */
export type StartInput = {
  readonly data: SocialData
  readonly viewer: string
  readonly token: string
  readonly digest: string
  readonly secret: string
}

/** The first reads of a process. */
export type FirstReads = { getMe(): unknown; getPhotos(): unknown }

/**
 * Loads the data, which is not measured. Returns the function whose call is measured as the initialization.
 */
export type Prepare = (given: StartInput) => Promise<() => FirstReads>
