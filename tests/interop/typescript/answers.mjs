// What the client answers when the server asks, and how often it was asked.

export class Answers {
  asked = { sampling: 0, elicitation: 0, roots: 0 };

  sampling() {
    this.asked.sampling += 1;
    return {
      role: 'assistant',
      model: 'interop-model',
      stopReason: 'endTurn',
      content: { type: 'text', text: 'sampled by the driver' },
    };
  }

  elicitation(parameters) {
    this.asked.elicitation += 1;
    return { action: 'accept', content: exampleOf(parameters?.requestedSchema) };
  }

  roots() {
    this.asked.roots += 1;
    return { roots: [{ uri: 'file:///project', name: 'interop' }] };
  }
}

// The smallest object that an object schema accepts: its required properties only.
export function exampleOf(schema) {
  const required = schema?.required ?? [];
  const example = {};
  for (const name of required) example[name] = exampleValue(schema.properties?.[name] ?? {});
  return example;
}

function exampleValue(schema) {
  if (schema.enum) return schema.enum[0];
  if (schema.oneOf) return schema.oneOf[0].const;
  switch (schema.type) {
    case 'array':
      return [];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'object':
      return exampleOf(schema);
    default:
      return EXAMPLE_BY_FORMAT[schema.format] ?? 'interop';
  }
}

const EXAMPLE_BY_FORMAT = {
  date: '2026-01-01',
  email: 'someone@example.com',
  uri: 'https://example.com/',
};
