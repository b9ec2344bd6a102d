import { formatChoices } from '../../base/usage-error.ts'
import { finiteValuesOf } from '../../schema/parameter.ts'
import type { TableListOptions } from '../declare/lists.ts'
import type { CompileContext } from './compile-context.ts'
import { countVariants, MAX_VARIANTS, parametersIn } from './list-variants.ts'

/** Adds the errors of the parameters of a list: `where` must use each, and few lists may result from their values. */
export const checkParameters = (
  { issues }: CompileContext,
  location: string,
  options: TableListOptions,
): void => {
  const used = parametersIn(options.where)
  const parameters = options.parameters ?? {}
  for (const [name, parameter] of Object.entries(parameters)) {
    if (!used.includes(name))
      issues.add(location, `"parameters.${name}"`, 'used in "where" with fromParameter', 'no use of it')
    else if (finiteValuesOf(parameter) === undefined)
      issues.add(
        location,
        `"parameters.${name}"`,
        'an enum or a bool',
        `a parameter of the kind ${parameter.kind}`,
      )
  }
  const names = Object.keys(parameters)
  const known = names.length === 0 ? 'which are empty' : formatChoices(names)
  for (const name of used)
    if (!names.includes(name))
      issues.addUnknown(
        location,
        '"where"',
        `fromParameter with a name in "parameters", ${known}`,
        name,
        names,
      )
  const count = countVariants(options)
  if (count > MAX_VARIANTS)
    issues.add(location, 'the number of combinations of parameters', `at most ${MAX_VARIANTS}`, `${count}`)
}
