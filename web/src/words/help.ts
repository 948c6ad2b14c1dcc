export const help = {
  grid: 'In the grid',
  editKeys: [
    ['Enter', 'Edit the cell, or open the lead'],
    ['F2', 'Edit the name'],
    ['Tab', 'While editing: save and go to the next cell'],
    ['Escape', 'Cancel editing'],
  ],
  /** In place of those, without the right to write. */
  openKeys: [['Enter', 'Open the lead']],
  gridKeys: [
    ['Shift+F', 'Filter by the value of the cell'],
    ['Mod+C', 'Copy the cell or the selected rows'],
    ['Mod+A', 'Select all matching leads'],
    ['Mod+Home', 'First row'],
    ['Mod+End', 'Last row'],
  ],
} as const
