// The page uses it too: it has no other way to make an address.

/** The address of a route below a place, for example `/lead/{id}`. Of an array, the query has each part. */
export function addressOf(
  place: string,
  path: string,
  id: string | undefined,
  query: object | undefined,
): string {
  const parts = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  const search = parts.length > 0 ? `?${new URLSearchParams(parts)}` : ''
  return place + path.replace('{id}', encodeURIComponent(id ?? '')) + search
}
