/** What `classify` remembers of requests: the newest, and never more than a client can have in flight. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOpenRequests, type OpenRequests } from '../src/cli/open-requests.ts';

const toolOf = (open: OpenRequests, id: unknown): string | undefined => open.take(id, undefined)?.tool;

test('of one id the newest 8 requests are kept, and the newest is answered first', () => {
  const open = createOpenRequests();
  for (let index = 0; index < 1_000; index += 1) {
    open.add(1, { ofTool: true, tool: `tool-${index}` });
  }
  const taken = Array.from({ length: 9 }, () => toolOf(open, '1'));
  assert.deepEqual(taken, [
    ...['tool-999', 'tool-998', 'tool-997', 'tool-996', 'tool-995', 'tool-994', 'tool-993', 'tool-992'],
    undefined,
  ]);
});

test('of all ids the newest 10,000 are kept', () => {
  const open = createOpenRequests();
  for (let id = 0; id < 10_001; id += 1) {
    open.add(id, { ofTool: true, tool: `tool-${id}` });
  }
  assert.equal(toolOf(open, 0), undefined);
  assert.equal(toolOf(open, 1), 'tool-1');
  assert.equal(toolOf(open, 10_000), 'tool-10000');
});

test('an id that is no id, or is long, is not kept', () => {
  const open = createOpenRequests();
  for (const id of [null, undefined, {}, 'x'.repeat(257)]) {
    open.add(id, { ofTool: true, tool: 'search' });
    assert.equal(toolOf(open, id), undefined);
  }
  open.add('x'.repeat(256), { ofTool: true, tool: 'search' });
  assert.equal(toolOf(open, 'x'.repeat(256)), 'search');
});
