// What the properties of all resources share.
import type { INodeProperties } from 'n8n-workflow'

/** Shown only for these operations of this resource. */
export const shownFor = (resource: string, ...operation: string[]) => ({
  show: { resource: [resource], operation },
})

/** A property that is a field of the request's body, by the same name. */
export const inBody = (property: INodeProperties): INodeProperties => ({
  ...property,
  routing: { send: { type: 'body', property: property.name } },
})

/** A choice of records of the workspace, for example of its tags. */
export const records = (displayName: string, name: string, url: string): INodeProperties =>
  inBody({
    displayName,
    name,
    type: 'multiOptions',
    description:
      'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    default: [],
    typeOptions: {
      loadOptions: {
        routing: {
          request: { method: 'GET', url },
          output: {
            postReceive: [
              {
                type: 'setKeyValue',
                properties: { name: '={{$responseItem.name}}', value: '={{$responseItem.id}}' },
              },
              { type: 'sort', properties: { key: 'name' } },
            ],
          },
        },
      },
    },
  })
