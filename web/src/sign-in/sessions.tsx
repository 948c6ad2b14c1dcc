export default function Stub(_: Record<string, unknown>) {
  return null
}
