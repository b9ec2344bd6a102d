/**
 * Returns an equal text that shares no memory with the text it was cut from. An engine may store a part of a
 * text as a reference to the whole: a cache that keeps a parameter of 20 characters would keep the body of 1
 * MiB that it arrived in.
 */
export const copyText = (text: string): string => ` ${text}`.slice(1)
