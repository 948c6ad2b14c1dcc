// Numbers, sizes, times and lists in sentences for people.

/** "1 lead", "1,234 leads", "3 statuses". `plural` is needed where it is more than an added s or es. */
export function counted(
  count: number,
  one: string,
  plural = one.endsWith('s') ? `${one}es` : `${one}s`,
): string {
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

/** "200 kB", "48 MB", "1.2 GB" */
export function inBytes(bytes: number): string {
  const unit = bytes < 1e6 ? 'kB' : bytes < 1e9 ? 'MB' : 'GB'
  const size = bytes / { kB: 1e3, MB: 1e6, GB: 1e9 }[unit]
  return `${size.toLocaleString('en', { maximumFractionDigits: size < 10 ? 1 : 0 })} ${unit}`
}

/** "256 KiB", "16 MiB", "1 GiB": a limit, which is a whole number of these. */
export function limitInBytes(bytes: number): string {
  const power = Math.floor(Math.log2(bytes) / 10)
  return `${bytes / 1024 ** power} ${['bytes', 'KiB', 'MiB', 'GiB'][power]}`
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** "3 days", "1 hour": the largest unit that it has one of. */
export function inTime(ms: number): string {
  const [unit, length] = units.find(([, length]) => ms >= length) ?? ['second', 1_000]
  return counted(Math.round(ms / length), unit)
}
