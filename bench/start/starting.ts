import type { SocialData } from '../data/social-data.ts'

/** What a process that starts is given: who reads, and with which token, by which digest and under which secret. */
export type Given = {
  readonly data: SocialData
  readonly viewer: string
  readonly token: string
  readonly digest: string
  readonly secret: string
}

/** The first reads of a process. */
export type FirstReads = { getMe(): unknown; getPhotos(): unknown }

/** Fills itself with the data, which is not timed; what it does to begin is. */
export type Prepare = (given: Given) => Promise<() => FirstReads>
