import { endpointOfAction, isNodeAction, NODE_ACTIONS } from '../base/action-endpoint.ts'
import { GraphError } from '../base/errors.ts'
import type { ActionCall, ActionTarget } from '../execute/action-runtime.ts'
import { fieldNotFoundError } from '../plan/not-found-errors.ts'
import type { Registry } from '../schema/registry.ts'
import type { Action } from './action.ts'

const METHODS = { add: 'post', remove: 'delete' } as const

/** Returns the beginning of the message of an error that the protocol has for the method of a call. */
export const unsupportedRequestOf = (target: ActionTarget): string =>
  target.kind === 'action' ? 'Unsupported request' : `Unsupported ${METHODS[target.operation]} request`

/** Formats the request that runs an action on a node. */
const formatRequest = (id: string, name: string): string => {
  const { method, subject } = endpointOfAction(name)
  return `${method} /${id}${subject === undefined ? '' : `/${subject}`}`
}

/** Finds the actions of a graph by the names that callers send. */
export class ActionRegistry {
  readonly #registry: Registry
  readonly #actionsByType = new Map<string, Map<string, Action>>()

  constructor(registry: Registry, actions: readonly Action[]) {
    this.#registry = registry
    for (const action of actions) {
      const actionsByName = this.#actionsByType.get(action.type) ?? new Map<string, Action>()
      this.#actionsByType.set(action.type, actionsByName.set(action.name, action))
    }
  }

  /** The names of the types that have actions. */
  get types(): Iterable<string> {
    return this.#actionsByType.keys()
  }

  /** Returns the actions of a type, in the order of their declaration. */
  actionsOf(type: string): readonly Action[] {
    return [...(this.#actionsByType.get(type)?.values() ?? [])]
  }

  /** Returns the action that a call names for a source of a type, or `undefined` if there is none. */
  find(type: string, target: ActionTarget): Action | undefined {
    return this.#actionsByType.get(type)?.get(this.#toActionName(type, target) ?? '')
  }

  /**
   * Returns the action that a call names for a source of a type. The errors name the actions of the type, so they are
   * only for viewers that may see the source.
   *
   * @throws GraphError `field_not_found` for a name that is neither an edge nor an action of the type;
   * `method_not_supported` if the node or the edge has no such action.
   */
  require(type: string, call: ActionCall): Action {
    const { id, target } = call
    const action = this.find(type, target)
    if (action !== undefined) return action
    const { name } = target
    const names = this.actionsOf(type).map(known => known.name)
    const format = (known: string): string =>
      target.kind === 'action' ? known : `${known} (${formatRequest(id, known)})`
    const actionsText = `Actions of ${type}: ${names.map(format).join(', ') || 'none'}`
    const knownNames = [...Object.keys(this.#registry.getType(type)?.edges ?? {}), ...names]
    // A name is known if it is that of an edge or an action, or begins with one.
    const [base = ''] = name?.split('.') ?? []
    if (name === undefined || isNodeAction(base) || knownNames.includes(base))
      throw new GraphError('method_not_supported', `${unsupportedRequestOf(target)}. ${actionsText}`, {
        type,
      })
    throw fieldNotFoundError({ name, location: `on node type (${type}). ${actionsText}`, type, knownNames })
  }

  #toActionName(type: string, target: ActionTarget): string | undefined {
    if (target.kind === 'action') return target.name
    const { name, operation } = target
    if (name === undefined) return NODE_ACTIONS[operation]
    if (this.#registry.getEdge(type, name) !== undefined) return `${name}.${operation}`
    // A name in a path stands for an action of its own, which only a POST runs.
    return operation === 'add' && !isNodeAction(name) && !name.includes('.') ? name : undefined
  }
}
