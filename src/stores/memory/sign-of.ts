/** 0 of 0, 1 of any other number: told without a branch, which the processor would have to wait for. */
export const signOf = (number: number): number => (number | -number) >>> 31
