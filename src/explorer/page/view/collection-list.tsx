import type { EdgeView } from '../../schema-view.ts'
import { useExplorer } from '../state/explorer-state.ts'
import type { CollectionCount } from '../table/collection-counts.ts'
import { ROOT_ID } from '../target/target.ts'
import { PathLink } from './path-link.tsx'

/** An edge as a link to its table, with its description. */
export const EdgeLink = ({
  id,
  edge,
  count,
}: {
  readonly id: string
  readonly edge: EdgeView
  readonly count?: CollectionCount | undefined
}) => (
  <li>
    <PathLink path={`${id}/${edge.name}`}>{edge.name}</PathLink>{' '}
    {count?.count !== undefined && <b>{count.count.toLocaleString('en')} </b>}
    <span class="detail">→ {edge.targets.join(', ')}</span>
    {edge.scope !== undefined && <span class="tag scope">{edge.scope}</span>}
    {edge.description !== undefined && <p>{edge.description}</p>}
    {count?.error !== undefined && <p class="bad">{count.error}</p>}
  </li>
)

/** The collections, with the numbers of their nodes. */
export const CollectionList = () => {
  const { collections, request } = useExplorer()
  const counts = collections.counts.value
  return (
    <>
      {request.token.value === '' && <p class="note">Enter a token to read the collections.</p>}
      <ul class="edge-list" aria-label="Collections">
        {collections.collections.value.map(edge => (
          <EdgeLink key={edge.name} id={ROOT_ID} edge={edge} count={counts.get(edge.name)} />
        ))}
      </ul>
    </>
  )
}
