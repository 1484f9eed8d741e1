// What the server tells of unasked: changes and log messages.

export class Notifications {
  #untaken = [];
  #waiting = [];

  receive(notification) {
    const at = this.#waiting.findIndex(({ method }) => method === notification.method);
    if (at < 0) this.#untaken.push(notification);
    else this.#waiting.splice(at, 1)[0].resolve(notification);
  }

  // The next one with this method: the first that nobody has taken, or the first that comes.
  async next(method) {
    const at = this.#untaken.findIndex((notification) => notification.method === method);
    if (at >= 0) return this.#untaken.splice(at, 1)[0];
    return new Promise((resolve) => this.#waiting.push({ method, resolve }));
  }

  // How many with this method nobody has taken.
  untaken(method) {
    return this.#untaken.filter((notification) => notification.method === method).length;
  }
}
