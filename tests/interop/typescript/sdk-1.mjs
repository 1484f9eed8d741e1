// SDK 1: revisions with a handshake only, up to 2025-11-25.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ResultSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

// Lets a result of any shape through.
export const anyResult = ResultSchema;

const NOTIFICATIONS = [
  LoggingMessageNotificationSchema,
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
];

export function createClient({ information, capabilities, answers, notifications }) {
  const client = new Client(information, { capabilities });
  client.setRequestHandler(CreateMessageRequestSchema, async () => answers.sampling());
  client.setRequestHandler(ElicitRequestSchema, async (request) => answers.elicitation(request.params));
  client.setRequestHandler(ListRootsRequestSchema, async () => answers.roots());
  for (const schema of NOTIFICATIONS) {
    client.setNotificationHandler(schema, (notification) => notifications.receive(notification));
  }
  return client;
}

export function createTransport(parameters) {
  return new StdioClientTransport(parameters);
}

export function callTool(client, parameters, options) {
  return client.callTool(parameters, undefined, options);
}
