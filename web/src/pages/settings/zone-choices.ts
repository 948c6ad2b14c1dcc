/** All time zones, with the current one even if the browser does not know it. */
export function zoneChoices(current: string | null): [id: string, label: string][] {
  const zones = new Set([
    'UTC',
    ...(current ? [current] : []),
    ...Intl.supportedValuesOf('timeZone'),
  ])
  return [...zones].map((id) => [id, id.replaceAll('_', ' ')])
}
