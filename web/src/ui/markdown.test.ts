import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown, plainText } from './markdown.tsx'

const id = '01920000-0000-7000-8000-000000000008'
const html = (text: string) =>
  renderToStaticMarkup(createElement(Markdown, { text, mention: () => '@Ada' }))
    .replace(/^<div[^>]*>/, '')
    .replace(/<\/div>$/, '')
    .replaceAll(/ class="[^"]*"/g, '')

const link = (href: string, text: string) =>
  `<a href="${href}" target="_blank" rel="noreferrer">${text}</a>`

test.each([
  ['plain\ntext\n\nmore', '<p>plain<br/>text</p><p>more</p>'],
  ['**bold _and_ more**', '<p><strong>bold <em>and</em> more</strong></p>'],
  ['*a* ~~b~~ `*c*`', '<p><em>a</em> <del>b</del> <code>*c*</code></p>'],
  ['2 * 3 * 4, snake_case_name, \\*no\\*', '<p>2 * 3 * 4, snake_case_name, *no*</p>'],
  ['- a\n- b\n3. c', '<ul><li>a</li><li>b</li></ul><ol start="3"><li>c</li></ol>'],
  ['# Title\n> said\n> so', '<p>Title</p><blockquote><p>said<br/>so</p></blockquote>'],
  ['```\n<b>\n```\nx', '<pre>&lt;b&gt;</pre><p>x</p>'],
  [`ask <@${id}>!`, '<p>ask @Ada!</p>'],
  [
    'see https://x.example/a?b=1.',
    `<p>see ${link('https://x.example/a?b=1', 'https://x.example/a?b=1')}.</p>`,
  ],
  ['[us](https://x.example)', `<p>${link('https://x.example', 'us')}</p>`],
])('shows %j', (text, expected) => {
  expect(html(text)).toBe(expected)
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
])('shows %j as it was written', (text) => {
  expect(html(text)).toBe(`<p>${text.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}</p>`)
})

test('a long text of marks is shown at once', () => {
  for (const mark of ['*', '**', '_', '[', '~~', '`', '<@', 'http://', '- ', '\n- x\n1. '])
    html(mark.repeat((64 * 1024) / mark.length))
})

test.each([
  ['**Great _call_**, ask @Ada\n- `a*b`\n> ~~no~~', 'Great call, ask @Ada\na*b\nno'],
  ['# Title [us](https://x.example) \\*no\\* 2 * 3 * 4', 'Title us *no* 2 * 3 * 4'],
  ['see https://x.example/a_b_c, **cut', 'see https://x.example/a_b_c, **cut'],
])('says %j without marks', (text, expected) => {
  expect(plainText(text)).toBe(expected)
})
