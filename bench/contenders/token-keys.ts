import { tokenKey } from '../../src/access/token-text.ts'
import type { GraphReader } from './graph.ts'

/** The key of each viewer's token, as code that remembers the digests of recent tokens has it. */
export const tokenKeysOf = (
  { tokenOf }: GraphReader,
  viewers: readonly string[],
): ReadonlyMap<string, string> => new Map(viewers.map(viewer => [viewer, tokenKey(tokenOf(viewer))]))

/** Whom a stored token stands for. What is asked of it here is a part of what a graph asks. */
export const viewerOf = (record: string | undefined): string => {
  const { viewer, expiresAt }: { viewer?: string; expiresAt?: number } = JSON.parse(record ?? '{}')
  if (viewer === undefined || (expiresAt !== undefined && expiresAt <= Date.now()))
    throw new Error('a token that is not valid')
  return viewer
}
