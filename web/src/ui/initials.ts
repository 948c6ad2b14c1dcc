/** The first letters of the first and the last part of a name. Of an email address, its domain is no part. */
export function initials(name: string): string {
  const parts = name
    .replace(/@\S+$/, '')
    .split(/[\s@._-]+/)
    .filter((part) => /\p{L}|\p{N}/u.test(part))
  const letters = [parts[0], parts.length > 1 ? parts.at(-1) : undefined]
  return letters
    .map((part) => [...(part ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
