export function mendDriver(): {
  name: string
  transform(code: string, id: string): { code: string; map: null } | undefined
}
