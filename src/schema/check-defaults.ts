import type { Schema, Types } from './schema.ts'

const defaultRefs = (types: Types, name: string): readonly string[] =>
  Object.hasOwn(types, name)
    ? Object.values(types[name]?.fields ?? {}).flatMap(field =>
        field.kind === 'ref' && field.default ? field.targets : [],
      )
    : []

/** The types whose default fields lead, by refs that are default fields themselves, back to them: an answer without end. */
export const faultsOfDefaultRefs = ({ types }: Schema): readonly string[] =>
  Object.keys(types)
    .filter(name => {
      const reached = new Set(defaultRefs(types, name))
      for (const next of reached) for (const target of defaultRefs(types, next)) reached.add(target)
      return reached.has(name)
    })
    .map(name => `${name}: its default refs lead back to it, so that its defaults have no end`)
