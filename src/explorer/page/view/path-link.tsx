import type { ComponentChildren } from 'preact'
import { ResponseLink } from './response-link.tsx'

/** A link to a path of the graph. */
export const PathLink = ({
  path,
  children,
}: {
  readonly path: string
  readonly children: ComponentChildren
}) => <ResponseLink link={{ kind: 'graph', href: path }}>{children}</ResponseLink>
