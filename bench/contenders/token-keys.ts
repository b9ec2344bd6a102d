import { digestToken } from '../../src/access/token-family.ts'
import type { GraphReader } from './graph.ts'

/** Returns the store key of each viewer's token. Hand-written code would cache these keys. */
export const createTokenKeys = (
  { tokenOf }: GraphReader,
  viewers: readonly string[],
): ReadonlyMap<string, string> => new Map(viewers.map(viewer => [viewer, digestToken(tokenOf(viewer))]))

/** Parses the viewer from a stored token record. A graph also checks the token. */
export const parseViewer = (record: string | undefined): string => {
  const { viewer, expiresAt }: { viewer?: string; expiresAt?: number } = JSON.parse(record ?? '{}')
  if (viewer === undefined || (expiresAt !== undefined && expiresAt <= Date.now()))
    throw new Error('a token that is not valid')
  return viewer
}
