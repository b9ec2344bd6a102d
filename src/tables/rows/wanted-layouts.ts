import type { WantedFields } from '../../store/contract.ts'
import type { TypeMapping } from '../model/table-model.ts'
import { Memo } from './memo.ts'
import { RecordLayout } from './record-layout.ts'

type FieldNames = ReadonlySet<string>
const NO_NAMES: FieldNames = new Set()

/**
 * The layouts of the records of a model. Plans send the same sets of fields with every call, so each set has one
 * layout, and a statement that was created for a layout fits the set.
 */
export class WantedLayouts {
  readonly #whole = new Memo<TypeMapping, RecordLayout>()
  readonly #partial = new Memo<TypeMapping, Memo<FieldNames, RecordLayout>>()

  /** Returns the layout of the fields that a read needs of a type. */
  get(type: TypeMapping, wanted: WantedFields | undefined): RecordLayout {
    if (wanted === undefined) return this.#getWhole(type)
    const names = wanted.get(type.name)
    if (names === undefined)
      return wanted.has(type.name) ? this.#getWhole(type) : this.#getPartial(type, NO_NAMES)
    return this.#getPartial(type, names)
  }

  #getWhole(type: TypeMapping): RecordLayout {
    return this.#whole.get(type, () => new RecordLayout(type, [...type.fields.values()]))
  }

  #getPartial(type: TypeMapping, names: FieldNames): RecordLayout {
    return this.#partial
      .get(type, () => new Memo())
      .get(
        names,
        () =>
          new RecordLayout(
            type,
            [...type.fields.values()].filter(({ name }) => names.has(name)),
          ),
      )
  }
}
