import { useEffect, useRef } from 'preact/hooks'
import type { Draft } from '../action/draft.ts'

const INPUTS_AND_BUTTONS = 'input:not([type="checkbox"]), select, textarea, button'

/** Focuses the first element of a part of a form that a selector matches. Default: an input or a button. */
export const focusFirst = (part: Element | null | undefined, selector: string = INPUTS_AND_BUTTONS): void =>
  part?.querySelector<HTMLElement>(selector)?.focus()

/** Focuses a new item of a list, and the button that adds items after one is removed. */
export const useListFocus = (count: number) => {
  const list = useRef<HTMLOListElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const shownCount = useRef(count)
  useEffect(() => {
    if (count < shownCount.current) addButton.current?.focus()
    if (count > shownCount.current) focusFirst(list.current?.lastElementChild)
    shownCount.current = count
  }, [count])
  return { list, addButton }
}

/** Focuses the first member of an object that is added, and the button that adds it after it is removed. */
export const useObjectFocus = (draft: Draft) => {
  const parts = useRef<HTMLDivElement>(null)
  const shownDraft = useRef(draft)
  useEffect(() => {
    const wasAbsent = shownDraft.current === undefined
    // The box that turns `null` on and off keeps the focus.
    const isNullChange = draft === null || shownDraft.current === null
    if (!isNullChange && wasAbsent !== (draft === undefined)) focusFirst(parts.current)
    shownDraft.current = draft
  }, [draft])
  return parts
}
