const colon = 0x3a;
const space = 0x20;
const dataField = Buffer.from('data:');
const nothing = Buffer.alloc(0);
const otherField = /^(?:event|id|retry):/;

/**
 * A line without what an event stream (`text/event-stream`, the usual capture of Streamable HTTP) puts around JSON: the
 * value of a `data` field, and nothing of its other fields and its comments.
 */
export function readEventLine(bytes: Buffer): Buffer {
  switch (bytes[0]) {
    case 0x64:
      if (bytes.subarray(0, dataField.length).equals(dataField)) {
        return bytes.subarray(bytes[dataField.length] === space ? dataField.length + 1 : dataField.length);
      }
      return bytes;
    case 0x65:
    case 0x69:
    case 0x72:
      return otherField.test(bytes.toString('latin1', 0, 8)) ? nothing : bytes;
    case colon:
      return nothing;
  }
  return bytes;
}
