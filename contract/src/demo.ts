import { Type } from 'typebox'
import { route } from './route.ts'
import { AllOptional, Message, Shape } from './shapes.ts'

export const demo = {
  name: 'Demo data',
  description: 'Fictional leads to explore Rapport with.',
  routes: {
    fill: route('POST /demo', {
      operationId: 'createDemoData',
      role: 'admin',
      bulk: true,
      summary: 'Fill the workspace with demo data',
      description:
        'Creates leads with lists, pipelines, tags, attributes, notes, reminders and campaigns. All email addresses end in .example. The members of the workspace become the owners. Fails if the workspace already has leads, unless add is true.',
      body: AllOptional(
        Shape('DemoOrder', {
          leads: Type.Integer({ minimum: 1, maximum: 1000, default: 1000 }),
          add: Type.Boolean({
            description: 'Add demo data even if the workspace already has leads',
          }),
        }),
      ),
      reply: Message,
      example: { body: { leads: 10, add: true } },
    }),
  },
}
