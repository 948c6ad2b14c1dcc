// What runs Rapport elsewhere: the image, and the templates for systems that run images.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { templates } from '../../scripts/templates.mjs'
import { readConfig } from '../src/config.ts'
import { root } from '../src/root.ts'
import { version } from '../src/version.ts'

const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const template = (path: string) => parse(read(`docs/operations/${path}`))
const image = `registry.example.com/rapport:${version}`

test('the templates are those of scripts/templates.mjs', () => {
  const made = templates()
  expect(Object.keys(made)).toHaveLength(7)
  for (const [path, text] of Object.entries(made)) {
    expect(read(`docs/operations/${path}`), path).toBe(text)
    for (const { errors, warnings } of parseAllDocuments(text)) {
      expect([...errors, ...warnings], path).toEqual([])
    }
  }
})

/** What a Dockerfile says, by its words: the last stage only. */
const stage = read('Dockerfile')
  .replaceAll('\\\n', ' ')
  .split(/^FROM /m)
  .at(-1) as string
const said = (word: string) => new RegExp(`^${word} +(.*)$`, 'm').exec(stage)?.[1] ?? ''

test('the image has one volume and one port, an ordinary account, a health check and the program', () => {
  const settings = Object.fromEntries(
    said('ENV')
      .split(' ')
      .map((one) => one.split('=')),
  )
  const { host, port, dataDir, mistyped } = readConfig(settings)
  expect({ host, port, dataDir, mistyped }).toEqual({
    ...{ host: '0.0.0.0', port: Number(said('EXPOSE')), dataDir: said('VOLUME'), mistyped: [] },
  })
  expect(said('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(said('HEALTHCHECK')).toContain('/readyz')
  expect([JSON.parse(said('ENTRYPOINT')), JSON.parse(said('CMD'))]).toEqual([
    ['rapport'],
    ['serve'],
  ])
  // It is made for other platforms than that of the machine: nothing may run.
  expect(stage).not.toMatch(/^RUN /m)
  expect(stage).toMatch(/^--platform=\$TARGETPLATFORM /)
})

test.each(['rapport', 'release'])(
  'scripts/%s.mjs installs packages before it loads any',
  (name) => {
    const loaded = [...read(`scripts/${name}.mjs`).matchAll(/^import .*?'([^']+)'$/gms)]
    expect(loaded.length).toBeGreaterThan(0)
    for (const [, from] of loaded) expect(from).toMatch(/^node:|^\.\/prepare\.mjs$/)
  },
)

type Container = {
  image: string
  environment: Record<string, string> | string[]
  volumes: string[]
}

const [pods] = parseAllDocuments(read('docs/operations/kubernetes.yaml')).map((one) => one.toJS())
const { containers, securityContext } = pods.spec.template.spec
const [pod] = containers
const inPod: Container = {
  image: pod.image,
  environment: Object.fromEntries(
    pod.env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  ),
  volumes: pod.volumeMounts.map(({ mountPath }: { mountPath: string }) => `data:${mountPath}`),
}

test.each<[string, Container]>([
  ['compose.yaml', template('compose.yaml').services.rapport],
  ['compose-postgres.yaml', template('compose-postgres.yaml').services.rapport],
  ['kubernetes.yaml', inPod],
  ['coolify.yaml', template('coolify.yaml').services.rapport],
  ['caprover.yml', template('caprover.yml').services.$$cap_appname],
  ['umbrel', template('umbrel/docker-compose.yml').services.web],
])('%s runs the image with its volume and with settings that there are', (_name, container) => {
  expect(container.image.replace('$$cap_version', version)).toBe(image)
  expect(container.volumes.map((one) => one.split(':')[1])).toContain(said('VOLUME'))
  const entries = Array.isArray(container.environment)
    ? container.environment.filter((one) => one.includes('=')).map((one) => one.split('='))
    : Object.entries(container.environment)
  const filled = entries.map(([name, value]) => [
    name,
    // What each system puts in there.
    String(value)
      .replace('$SERVICE_URL_RAPPORT', 'https://crm.example.com')
      .replace(/\$\{\w+(:\?)?\}|\$\$\w+/g, '0123456789abcdef0123456789abcdef'),
  ])
  const { publicUrl, trustProxy } = readConfig(Object.fromEntries(filled))
  expect(publicUrl).toMatch(/^https?:/)
  expect(trustProxy).toHaveLength(3)
  for (const [name] of filled) expect(read('README.md')).toContain(`\`${name}\``)
})

test('what is around the container leads to its port', () => {
  const port = Number(said('EXPOSE'))
  expect(template('compose.yaml').services.caddy.command).toMatch(`--to rapport:${port}`)
  expect(template('compose-postgres.yaml').services.caddy.command).toMatch(`--to rapport:${port}`)
  expect(pod.ports).toEqual([{ name: 'http', containerPort: port }])
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe']) {
    expect(pod[probe].httpGet).toEqual({ path: expect.stringMatching(/z$/), port: 'http' })
  }
  expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 })
  expect(read('docs/operations/coolify.yaml')).toContain(`\n# port: ${port}\n`)
  const { $$cap_appname: app } = template('caprover.yml').services
  expect(app.caproverExtra.containerHttpPort).toBe(String(port))
  const { app_proxy: proxy } = template('umbrel/docker-compose.yml').services
  expect(proxy.environment.APP_PORT).toBe(port)
})
