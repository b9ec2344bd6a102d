/** The actions of a node itself, whose paths do not contain their names. */
export const NODE_ACTIONS = { add: 'update', remove: 'delete' } as const

export const isNodeAction = (name: string): boolean =>
  name === NODE_ACTIONS.add || name === NODE_ACTIONS.remove

/** The method and the end of the path of the requests that run an action. */
export type ActionEndpoint = {
  readonly method: 'POST' | 'DELETE'
  /** The part of the path after the id: an edge, or an action of its own. Undefined for the node itself. */
  readonly subject: string | undefined
}

/** Returns the endpoint of an action. The name may be one that no action has. */
export const endpointOfAction = (name: string): ActionEndpoint => {
  const [subject, operation] = isNodeAction(name) ? [] : name.split(/\.(add|remove)$/)
  const isRemoval = name === NODE_ACTIONS.remove || operation === 'remove'
  return { method: isRemoval ? 'DELETE' : 'POST', subject }
}
