import { fold } from '@rapport/contract/fold'

/** "Économie d'énergie" → "economie_d_energie" */
export function toSlug(name: string): string {
  const words = fold(name).match(/[a-z0-9]+/g) ?? ['attribute']
  return words.join('_').slice(0, 60)
}
