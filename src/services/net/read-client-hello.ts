/** Reads the server's name from the first message of TLS (RFC 8446, 4.1.2; RFC 6066, 3), as far as it has come. */

export type ClientHello =
  /** More bytes are needed. */
  | { readonly kind: 'incomplete' }
  /** Not TLS, or a message that no library sends: nothing can be said. */
  | { readonly kind: 'other' }
  | { readonly kind: 'hello'; readonly serverName: string | undefined };

const handshakeRecord = 0x16;
const clientHello = 0x01;

export function readClientHello(bytes: Buffer): ClientHello {
  const message = handshakeMessage(bytes);
  if (message === 'incomplete' || message === 'other') return { kind: message };
  try {
    return { kind: 'hello', serverName: serverNameOf(message) };
  } catch (error) {
    // A length that leads out of the message.
    if (error instanceof RangeError) return { kind: 'other' };
    throw error;
  }
}

/** A message may be cut into several records, and a record into several packets. */
function handshakeMessage(bytes: Buffer): Buffer | 'incomplete' | 'other' {
  const parts: Buffer[] = [];
  let have = 0;
  for (let at = 0; ;) {
    if (at < bytes.length && bytes[at] !== handshakeRecord) return 'other';
    if (bytes.length < at + 5) return 'incomplete';
    if (bytes[at + 1] !== 3) return 'other';
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || length > 16_640) return 'other';
    const part = bytes.subarray(at + 5, at + 5 + length);
    parts.push(part);
    have += part.length;
    const message = Buffer.concat(parts);
    if (message.length > 0 && message[0] !== clientHello) return 'other';
    if (message.length >= 4 && have >= 4 + message.readUIntBE(1, 3))
      return message.subarray(4, 4 + message.readUIntBE(1, 3));
    if (part.length < length) return 'incomplete';
    at += 5 + length;
  }
}

function serverNameOf(hello: Buffer): string | undefined {
  let at = 2 + 32;
  at += 1 + hello.readUInt8(at); // session
  at += 2 + hello.readUInt16BE(at); // ciphers
  at += 1 + hello.readUInt8(at); // compression
  if (at + 2 > hello.length) return undefined;
  const end = at + 2 + hello.readUInt16BE(at);
  for (at += 2; at + 4 <= end;) {
    const type = hello.readUInt16BE(at);
    const length = hello.readUInt16BE(at + 2);
    if (type === 0) {
      const nameLength = hello.readUInt16BE(at + 7);
      return hello.toString('latin1', at + 9, at + 9 + nameLength);
    }
    at += 4 + length;
  }
  return undefined;
}
