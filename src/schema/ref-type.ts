import { type IdKind, isDigitsId } from '../base/ids.ts'
import { isNamedId } from '../base/named-ids.ts'
import type { FieldType } from './field-type.ts'

const REF_TYPES: { readonly [kind in IdKind]: Pick<FieldType, 'isValid'> } = {
  digits: { isValid: isDigitsId },
  named: { isValid: isNamedId },
}

/** Returns the validity check of a stored ref, in the form of a field type. */
export const refTypeOf = (kind: IdKind): Pick<FieldType, 'isValid'> => REF_TYPES[kind]
