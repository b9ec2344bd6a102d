import type { DescriptionDifference } from '../tables/introspect/description-differences.ts'
import { escapeText } from './safe-text.ts'

/** Formats a difference for a line of output. */
export const formatDifference = ({ kind, part, before, after }: DescriptionDifference): string => {
  const details = [
    before && (after ? `from ${before}` : `was ${before}`),
    after && (before ? `to ${after}` : after),
  ]
  return escapeText(`${kind}: ${[part, ...details].filter(Boolean).join(' ')}`)
}
