/** "Économie d'énergie" → "economie_d_energie" */
export function toSlug(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const words = plain.match(/[a-z0-9]+/g) ?? ['attribute']
  return words.join('_').slice(0, 60)
}
