// Where the service is, and the key that workflows use.
import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow'

export class RapportApi implements ICredentialType {
  name = 'rapportApi'
  displayName = 'Rapport API'
  icon: Icon = {
    light: 'file:../nodes/Rapport/rapport.svg',
    dark: 'file:../nodes/Rapport/rapport.dark.svg',
  }
  properties: INodeProperties[] = [
    {
      displayName: 'Address',
      name: 'url',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://crm.example.com',
      description: 'What you type in the browser to open Rapport',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'Settings → API Keys. For the trigger, its role must be admin.',
    },
  ]
  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'X-API-KEY': '={{$credentials.apiKey}}' } },
  }
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.url.replace(/\\/+$/, "")}}/rest', url: '/me' },
  }
}
