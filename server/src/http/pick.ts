/** The named fields that were sent. Other fields of the body are ignored. */
export function pick<T extends object, K extends keyof T>(
  body: T,
  names: readonly K[],
): Pick<T, K> {
  const sent = names.filter((name) => body[name] !== undefined)
  return Object.fromEntries(sent.map((name) => [name, body[name]])) as Pick<T, K>
}
