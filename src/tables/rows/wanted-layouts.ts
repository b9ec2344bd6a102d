import type { WantedFields } from '../../store/contract.ts'
import type { TypeMapping } from '../model/table-model.ts'
import { RecordLayout } from './record-layout.ts'

type FieldNames = ReadonlySet<string>
const NO_NAMES: FieldNames = new Set()

/**
 * The layouts of the records of a model. Plans send the same sets of fields with every call, so each set has one
 * layout, and a statement that was created for a layout fits the set.
 */
export class WantedLayouts {
  readonly #whole = new WeakMap<TypeMapping, RecordLayout>()
  readonly #partial = new WeakMap<TypeMapping, WeakMap<FieldNames, RecordLayout>>()

  /** Returns the layout of the fields that a read needs of a type. */
  get(type: TypeMapping, wanted: WantedFields | undefined): RecordLayout {
    if (wanted === undefined) return this.#getWhole(type)
    const names = wanted.get(type.name)
    if (names === undefined)
      return wanted.has(type.name) ? this.#getWhole(type) : this.#getPartial(type, NO_NAMES)
    return this.#getPartial(type, names)
  }

  #getWhole(type: TypeMapping): RecordLayout {
    const existing = this.#whole.get(type)
    if (existing !== undefined) return existing
    const created = new RecordLayout(type, [...type.fields.values()])
    this.#whole.set(type, created)
    return created
  }

  #getPartial(type: TypeMapping, names: FieldNames): RecordLayout {
    let layouts = this.#partial.get(type)
    if (layouts === undefined) {
      layouts = new WeakMap()
      this.#partial.set(type, layouts)
    }
    const existing = layouts.get(names)
    if (existing !== undefined) return existing
    const created = new RecordLayout(
      type,
      [...type.fields.values()].filter(({ name }) => names.has(name)),
    )
    layouts.set(names, created)
    return created
  }
}
