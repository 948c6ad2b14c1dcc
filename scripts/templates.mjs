// What other systems need to run the image: Docker Compose, Kubernetes, Coolify, CapRover and Umbrel, all made from
// the same facts. `node scripts/templates.mjs` writes docs/operations anew, and a test compares.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stringify } from 'yaml'
import { root } from './prepare.mjs'

const { name, version, description, license } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)
const title = 'Rapport'
const slogan = 'A self-hosted sales CRM: leads, pipelines, reminders and campaigns.'
const port = 3000
const data = '/data'
/** Nobody but the proxy reaches the container, and the proxy has one of these addresses. */
const privateNetworks = '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16'
/** Requests in flight have 15 seconds, then PostgreSQL stops. */
const stopSeconds = 30
/** PostgreSQL's processes share memory there; the default of 64 MB is too little for large workspaces. */
const sharedMegabytes = 256

/** The files by their names below docs/operations. `image` is where the image was pushed to, without a tag. */
export function templates(image = `registry.example.com/${name}`) {
  const tagged = `${image}:${version}`
  return {
    'compose.yaml': file(
      [
        'Rapport behind Caddy, which gets the certificate of the domain by itself:',
        '  DOMAIN=crm.example.com docker compose up -d',
        '  docker compose exec rapport rapport sign-in      # prints the first link',
      ],
      compose(tagged),
    ),
    'compose-postgres.yaml': file(
      [
        'The same with a PostgreSQL of its own. Keep the two secrets, and back up the volume "database":',
        '  export DOMAIN=crm.example.com POSTGRES_PASSWORD=… SECRET_KEY="$(openssl rand -hex 32)"',
        '  docker compose -f compose-postgres.yaml up -d',
      ],
      composeWithPostgres(tagged),
    ),
    'kubernetes.yaml': file(
      [
        'Replace crm.example.com, then: kubectl apply -f kubernetes.yaml',
        'The first link: kubectl exec rapport-0 -- rapport sign-in',
      ],
      ...kubernetes(tagged),
    ),
    'coolify.yaml': file(
      [
        ...['documentation: docs/OPERATIONS.md', `slogan: ${slogan}`, 'category: productivity'],
        ...['tags: crm,sales,leads,pipeline', `port: ${port}`],
      ],
      coolify(tagged),
    ),
    'caprover.yml': file([], caprover(image)),
    'umbrel/umbrel-app.yml': file([], umbrelApp()),
    'umbrel/docker-compose.yml': file([], umbrelCompose(tagged)),
  }
}

function file(comments, ...documents) {
  const made = 'Made by scripts/templates.mjs. See docs/OPERATIONS.md.'
  const lines = [...comments, made].map((line) => `# ${line}\n`).join('')
  return lines + documents.map((one) => stringify(one, { lineWidth: 0 })).join('---\n')
}

/** A service of Docker Compose, without what is around it. */
function service(image, environment) {
  return {
    image,
    restart: 'unless-stopped',
    environment,
    stop_grace_period: `${stopSeconds}s`,
    shm_size: `${sharedMegabytes}m`,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  }
}

/** A variable that Docker Compose insists on. */
const required = (variable) => `\${${variable}:?}`
const domain = required('DOMAIN')
const behindCaddy = { PUBLIC_URL: `https://${domain}`, TRUST_PROXY: privateNetworks }
const caddy = {
  image: 'docker.io/library/caddy:2',
  restart: 'unless-stopped',
  command: `caddy reverse-proxy --from ${domain} --to ${name}:${port}`,
  ports: ['80:80', '443:443', '443:443/udp'],
  volumes: ['caddy:/data'],
}

function compose(image) {
  return {
    services: { [name]: { ...service(image, behindCaddy), volumes: [`data:${data}`] }, caddy },
    volumes: { data: {}, caddy: {} },
  }
}

function composeWithPostgres(image) {
  const password = required('POSTGRES_PASSWORD')
  const environment = {
    ...behindCaddy,
    DATABASE_URL: `postgres://${name}:${password}@postgres:5432/${name}`,
    SECRET_KEY: required('SECRET_KEY'),
  }
  const postgres = {
    image: 'docker.io/library/postgres:17',
    restart: 'unless-stopped',
    environment: { POSTGRES_USER: name, POSTGRES_DB: name, POSTGRES_PASSWORD: password },
    shm_size: `${sharedMegabytes}m`,
    volumes: ['database:/var/lib/postgresql/data'],
    healthcheck: { test: ['CMD', 'pg_isready', '-U', name], interval: '5s' },
  }
  return {
    services: {
      [name]: {
        ...service(image, environment),
        volumes: [`data:${data}`],
        depends_on: { postgres: { condition: 'service_healthy' } },
      },
      postgres,
      caddy,
    },
    volumes: { data: {}, database: {}, caddy: {} },
  }
}

/** One pod, because the PostgreSQL inside has one folder. With DATABASE_URL, there may be more. */
function kubernetes(image) {
  const metadata = { name, labels: { app: name } }
  const selector = { app: name }
  const host = 'crm.example.com'
  const environment = {
    PUBLIC_URL: `https://${host}`,
    TRUST_PROXY: privateNetworks,
    // Until the readiness probe has noticed.
    STOP_DELAY: '10s',
  }
  const probe = (path, more) => ({ httpGet: { path, port: 'http' }, ...more })
  const container = {
    name,
    image,
    env: Object.entries(environment).map(([name, value]) => ({ name, value })),
    ports: [{ name: 'http', containerPort: port }],
    // A migration of a large database takes minutes.
    startupProbe: probe('/readyz', { periodSeconds: 5, failureThreshold: 120 }),
    readinessProbe: probe('/readyz', { periodSeconds: 5, timeoutSeconds: 3 }),
    livenessProbe: probe('/healthz', { periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }),
    resources: { requests: { cpu: '100m', memory: '512Mi' }, limits: { memory: '2Gi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'data', mountPath: data },
      { name: 'shared-memory', mountPath: '/dev/shm' },
    ],
  }
  return [
    {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata,
      spec: {
        replicas: 1,
        serviceName: name,
        selector: { matchLabels: selector },
        template: {
          metadata: { labels: selector },
          spec: {
            terminationGracePeriodSeconds: stopSeconds + 15,
            automountServiceAccountToken: false,
            securityContext: {
              runAsNonRoot: true,
              runAsUser: 1000,
              runAsGroup: 1000,
              fsGroup: 1000,
              // Otherwise every start would open PostgreSQL's files to the group, which it refuses.
              fsGroupChangePolicy: 'OnRootMismatch',
              seccompProfile: { type: 'RuntimeDefault' },
            },
            containers: [container],
            volumes: [
              {
                name: 'shared-memory',
                emptyDir: { medium: 'Memory', sizeLimit: `${sharedMegabytes}Mi` },
              },
            ],
          },
        },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: {
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: '10Gi' } },
            },
          },
        ],
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata,
      spec: {
        tls: [{ hosts: [host], secretName: `${name}-tls` }],
        rules: [
          {
            host,
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name, port: { name: 'http' } } },
                },
              ],
            },
          },
        ],
      },
    },
  ]
}

function coolify(image) {
  const address = `SERVICE_URL_${name.toUpperCase()}`
  const environment = { PUBLIC_URL: `$${address}`, TRUST_PROXY: privateNetworks }
  const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const made = service(image, [`${address}_${port}`, ...lines])
  return { services: { [name]: { ...made, volumes: [`${name}-data:${data}`] } } }
}

function caprover(image) {
  const app = '$$cap_appname'
  return {
    captainVersion: 4,
    services: {
      [app]: {
        image: `${image}:$$cap_version`,
        restart: 'always',
        environment: {
          PUBLIC_URL: `https://${app}.$$cap_root_domain`,
          TRUST_PROXY: privateNetworks,
        },
        volumes: [`${app}-data:${data}`],
        caproverExtra: { containerHttpPort: String(port) },
      },
    },
    caproverOneClickApp: {
      variables: [
        {
          id: '$$cap_version',
          label: 'Version',
          defaultValue: version,
          description: 'The tag of the image.',
          validRegex: '/^([^\\s^\\/])+$/',
        },
      ],
      instructions: {
        start: slogan,
        end: `Enable HTTPS for the app, then print the first link on the server: docker exec $(docker ps -q -f name=srv-captain--${app}) rapport sign-in`,
      },
      displayName: title,
      isOfficial: false,
      description,
      documentation: 'docs/OPERATIONS.md',
    },
  }
}

function umbrelApp() {
  return {
    manifestVersion: 1,
    id: name,
    category: 'files',
    name: title,
    version,
    tagline: slogan,
    description: `${description} After the installation, the link of the first sign-in is in data/first-sign-in.txt in the folder of the app. License: ${license}.`,
    releaseNotes: '',
    developer: title,
    website: '',
    repo: '',
    support: '',
    port: 3947,
    gallery: [],
    path: '',
    defaultUsername: '',
    defaultPassword: '',
    dependencies: [],
  }
}

function umbrelCompose(image) {
  const made = service(image, {
    PUBLIC_URL: `http://\${DEVICE_DOMAIN_NAME}:${umbrelApp().port}`,
    TRUST_PROXY: privateNetworks,
  })
  return {
    version: '3.7',
    services: {
      app_proxy: { environment: { APP_HOST: `${name}_web_1`, APP_PORT: port } },
      web: { ...made, restart: 'on-failure', volumes: [`\${APP_DATA_DIR}/data:${data}`] },
    },
  }
}

/** Writes them into a folder. */
export function writeTemplates(folder, image) {
  for (const [path, text] of Object.entries(templates(image))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeTemplates(join(root, 'docs', 'operations'))
}
