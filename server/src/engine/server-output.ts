/** The lines that give a reason, on one line, without their date and process. */
export function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  const reasons = lines.filter((line) => /FATAL|PANIC|HINT|DETAIL|error/.test(line))
  return (reasons.length > 0 ? reasons : lines)
    .slice(-4)
    .map((line) => line.replace(/^\d{4}-\S+ \S+ \S+ \[\d+\] /, '').trim())
    .join(' ')
}
