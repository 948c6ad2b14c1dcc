// Starts a workflow when something changes. The trigger subscribes to a webhook while the workflow is active.
import {
  type IDataObject,
  type IHookFunctions,
  type IHttpRequestMethods,
  type ILoadOptionsFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow'
import { isSigned } from './signature'

/** What the workflow keeps of its webhook. */
interface Subscription {
  id?: string
  secret?: string
}

const subscriptionOf = (node: IHookFunctions | IWebhookFunctions): Subscription =>
  node.getWorkflowStaticData('node')

async function send(
  node: IHookFunctions | ILoadOptionsFunctions,
  method: IHttpRequestMethods,
  path: string,
  body?: IDataObject,
) {
  const { url } = await node.getCredentials<{ url: string }>('rapportApi')
  return node.helpers.httpRequestWithAuthentication.call(node, 'rapportApi', {
    method,
    url: `${url.replace(/\/+$/, '')}/rest${path}`,
    json: true,
    ...(body && { body }),
  })
}

export class RapportTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Rapport Trigger',
    name: 'rapportTrigger',
    icon: { light: 'file:../Rapport/rapport.svg', dark: 'file:../Rapport/rapport.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["types"].join(", ")}}',
    description: 'Starts the workflow when something changes in Rapport',
    defaults: { name: 'Rapport Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'rapportApi', required: true }],
    webhooks: [
      { name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' },
    ],
    properties: [
      {
        displayName: 'Event Names or IDs',
        name: 'types',
        type: 'multiOptions',
        required: true,
        default: [],
        description:
          'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
        typeOptions: { loadOptionsMethod: 'getTypes' },
      },
      {
        displayName: 'Include Lead',
        name: 'includeLead',
        type: 'boolean',
        default: true,
        description: 'Whether the event also has the lead, as it is when the event is sent',
      },
    ],
  }

  methods = {
    loadOptions: {
      async getTypes(this: ILoadOptionsFunctions) {
        const events = (await send(this, 'GET', '/events/samples')) as { type: string }[]
        return events.map(({ type }) => ({ name: type, value: type }))
      },
    },
  }

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { id } = subscriptionOf(this)
        if (!id) return false
        const url = this.getNodeWebhookUrl('default')
        const webhooks = (await send(this, 'GET', '/webhooks')) as { id: string; url: string }[]
        return webhooks.some((webhook) => webhook.id === id && webhook.url === url)
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const { id, secret } = (await send(this, 'POST', '/webhooks', {
          url: this.getNodeWebhookUrl('default'),
          name: `n8n: ${this.getWorkflow().name ?? this.getWorkflow().id}`.slice(0, 100),
          types: this.getNodeParameter('types') as string[],
          include: this.getNodeParameter('includeLead') ? ['lead'] : [],
        })) as Required<Subscription>
        Object.assign(subscriptionOf(this), { id, secret })
        return true
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const subscription = subscriptionOf(this)
        if (subscription.id) await send(this, 'DELETE', `/webhooks/${subscription.id}`)
        delete subscription.id
        delete subscription.secret
        return true
      },
    },
  }

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { secret = '' } = subscriptionOf(this)
    const body = this.getRequestObject().rawBody
    if (!isSigned(body, this.getHeaderData(), secret, Date.now())) {
      this.getResponseObject().status(401).end('The signature is wrong or too old.')
      return { noWebhookResponse: true }
    }
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] }
  }
}
