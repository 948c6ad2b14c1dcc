// Numbers and lists in the sentences that commands print.

/** "1 lead", "1,234 leads". `plural` is needed where it is more than an added s. */
export function counted(count: number, one: string, plural = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : plural}`
}

/** "a", "a and b", "a, b and c" */
export function listed(parts: string[], word = 'and'): string {
  const last = parts.at(-1) ?? ''
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${word} ${last}`
}

/** Values come from clients. Control characters could change what the terminal shows. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}
