// n8n's rules for community nodes. Everything else is checked by the repository's own tools.
import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes'
import tseslint from 'typescript-eslint'

const { parser } = tseslint
const parserOptions = { project: './tsconfig.json', extraFileExtensions: ['.json'] }

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'package-lock.json', 'tsconfig.json'] },
  {
    files: ['**/*.ts', 'package.json'],
    extends: [n8nCommunityNodesPlugin.configs.recommended],
    languageOptions: { parser, parserOptions },
  },
)
