import type { EdgeType } from '../schema/edge.ts'
import type { RefField } from '../schema/field.ts'
import type { Declarations } from './declarations.ts'
import type { Declaration, ParentTypes } from './parent-types.ts'

/** Returns the edge or ref of a declaration, which lead to nodes; undefined for others. */
const edgeOrRefOf = (declaration: Declaration): EdgeType | RefField | undefined => {
  if (declaration.kind === 'edge') return declaration.edge
  return declaration.kind === 'field' && declaration.field.kind === 'ref' ? declaration.field : undefined
}

/** Finds the targets of the edges and refs that some types have under a name, without duplicates. */
export const findTargetsOfName = (
  declarations: Declarations,
  parentTypes: ParentTypes,
  name: string,
): readonly ParentTypes[] => {
  const targets: ParentTypes[] = []
  for (const parentType of parentTypes) {
    const declaration = parentType.declarations.get(name)
    const edgeOrRef = declaration && edgeOrRefOf(declaration)
    if (edgeOrRef !== undefined) targets.push(declarations.targetOf(edgeOrRef).types)
  }
  const [first] = targets
  return first === undefined || targets.every(target => target === first)
    ? targets.slice(0, 1)
    : [...new Set(targets)]
}
