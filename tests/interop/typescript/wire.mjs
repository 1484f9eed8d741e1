// Watches the messages of a connected transport, since a client does not tell of messages that nobody waits for.

export class Wire {
  #requests = [];
  #answered = new Set();
  #progress = new Map();

  watch(transport) {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (message.method && message.id !== undefined) this.#requests.push(message);
      return send(message, options);
    };
    const receive = transport.onmessage;
    transport.onmessage = (message, extra) => {
      this.#note(message);
      receive(message, extra);
    };
  }

  // The latest request with this method.
  latestRequest(method) {
    return this.#requests.findLast((message) => message.method === method);
  }

  isAnswered(request) {
    return this.#answered.has(request.id);
  }

  // The latest progress that was told of a request.
  progressOf(request) {
    return this.#progress.get(request.params._meta.progressToken);
  }

  #note(message) {
    if (message.method === 'notifications/progress') {
      this.#progress.set(message.params.progressToken, message.params.progress);
    } else if (!message.method && message.id !== undefined) {
      this.#answered.add(message.id);
    }
  }
}
