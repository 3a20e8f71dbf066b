/** Lines as servers write them, with a secret here and there. */
const lines: readonly string[] = [
  '2026-03-01T10:00:00.412Z INFO  request 7f9c2ba4e88f827d GET /api/v2/links?page=3&limit=50 200 41ms',
  '{"level":30,"time":1796041200000,"pid":4711,"reqId":"req-1f","msg":"listed 50 links","durationMs":12.4}',
  '    at Object.handler (/srv/shop/dist/routes/refund.js:112:19)',
  '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
  '2026-03-01T10:00:01.007Z WARN  slow query (1204 ms): SELECT id, title FROM links WHERE owner = $1 ORDER BY id',
  '127.0.0.1 - - [01/Mar/2026:10:00:01 +0000] "POST /mcp HTTP/1.1" 429 118 "-" "node"',
  'Error: connect ECONNREFUSED 10.0.4.17:5432 (database shop, attempt 3 of 5)',
  '2026-03-01T10:00:02.118Z ERROR upstream answered 401: {"error":"invalid_token","realm":"shop"}',
  'commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904 deployed to eu-west-1 by ci (build 1182)',
];

const withSecrets: readonly string[] = [
  `2026-03-01T10:00:03.500Z DEBUG headers: { authorization: 'Bearer ${'q8Zr4Tn2'.repeat(4)}', accept: '*/*' }`,
  `DATABASE_URL=postgres://shop:${'w3Kd9Lx1'.repeat(2)}@db.internal:5432/shop`,
];

/** ASCII text of `size` bytes, one line in twenty with a secret. */
export function logText(size: number): string {
  const parts: string[] = [];
  let length = 0;
  for (let index = 0; length < size; index += 1) {
    const source = index % 20 === 19 ? withSecrets : lines;
    const line = `${source[index % source.length]}\n`;
    parts.push(line);
    length += line.length;
  }
  return Buffer.from(parts.join('').slice(0, size)).toString();
}
