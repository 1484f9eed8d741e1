// What the server tells of unasked, or once it was asked to: changes and log messages.

import { assert, Skip } from '../../report.mjs';

const LOGGED = 'notifications/message';
const UPDATED = 'notifications/resources/updated';
const LEVEL = 'io.modelcontextprotocol/logLevel';
const LISTS = ['tools', 'prompts', 'resources'];

export async function run(report, connection) {
  const { client, notifications } = connection;

  await report.step('logging', async () => {
    connection.expectCapability('logging');
    const line = { level: 'notice', text: 'hello' };
    if (connection.isModern) {
      await connection.use('log', line, { [LEVEL]: 'debug' });
    } else {
      await client.setLoggingLevel('debug', { timeout: 5000 });
      await connection.use('log', line);
    }
    const { params } = await notifications.next(LOGGED);
    assert(params.level === 'notice' && params.data === 'hello', `it is logged, not: ${JSON.stringify(params)}`);

    // Below the level, or in the modern era unasked.
    if (!connection.isModern) await client.setLoggingLevel('error', { timeout: 5000 });
    await connection.use('log', line);
    await connection.echo('after the log message');
    assert(notifications.untaken(LOGGED) === 0, 'no message comes that is not wanted');
  });

  await report.step('resources/subscribe', async () => {
    if (!connection.capabilities.resources?.subscribe) throw new Skip('not declared');
    const { uri } = connection.resources[0];
    const unsubscribe = await subscribe(connection, uri);
    await connection.use('touch', { uri: 'text://another' });
    await connection.use('touch', { uri });
    const { params } = await notifications.next(UPDATED);
    assert(params.uri === uri, `${params.uri} is the resource ${uri}`);

    await unsubscribe();
    await connection.use('touch', { uri });
    await connection.echo('after the update');
    assert(notifications.untaken(UPDATED) === 0, 'no update comes that is not wanted');
    return { uri };
  });

  await report.step('list changes', async () => {
    if (!connection.capabilities.tools?.listChanged) throw new Skip('not declared');
    // Before the modern era they are told unasked.
    const subscription = connection.isModern && (await listenToLists(client));
    for (const list of LISTS) {
      await connection.use('change_list', { list });
      await notifications.next(`notifications/${list}/list_changed`);
    }
    if (!subscription) return;

    await subscription.close();
    for (const list of LISTS) await connection.use('change_list', { list });
    await connection.echo('after the changes');
    for (const list of LISTS) {
      const untaken = notifications.untaken(`notifications/${list}/list_changed`);
      assert(untaken === 0, 'no change is told that is not wanted');
    }
  });
}

// Subscribes in the way of the era; gives what undoes it.
async function subscribe({ client, isModern }, uri) {
  if (isModern) {
    const subscription = await client.listen({ resourceSubscriptions: [uri] }, { timeout: 5000 });
    const honored = subscription.honoredFilter.resourceSubscriptions;
    assert(honored?.[0] === uri, `${honored} is the resource ${uri}`);
    return () => subscription.close();
  }
  await client.subscribeResource({ uri }, { timeout: 5000 });
  return () => client.unsubscribeResource({ uri }, { timeout: 5000 });
}

async function listenToLists(client) {
  const filter = { promptsListChanged: true, resourcesListChanged: true, toolsListChanged: true };
  const subscription = await client.listen(filter, { timeout: 5000 });
  for (const list of Object.keys(filter)) {
    assert(subscription.honoredFilter[list] === true, `${list} is honored`);
  }
  return subscription;
}
