interface Place {
  address?: string
  latitude?: number
  longitude?: number
}

/** A LOCATION as text. */
export function placeText(place: Place | null): string {
  if (place?.address) return place.address
  return place?.latitude === undefined ? '' : `${place.latitude}, ${place.longitude}`
}
