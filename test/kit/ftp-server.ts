/** A server of FTP (RFC 959) that gives one file away in passive mode: enough for a client to show that it gets through. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

export type FtpServer = { readonly port: number; readonly dataPort: number; close(): void };

export async function startFtpServer(content: string): Promise<FtpServer> {
  const data = createServer((socket) => void socket.end(content));
  const control = createServer((socket) => talkFtp(socket, () => (data.address() as AddressInfo).port, content.length));
  const [port, dataPort] = await Promise.all([start(control), start(data)]);
  return {
    port,
    dataPort,
    close() {
      control.close();
      data.close();
    },
  };
}

function talkFtp(socket: Socket, dataPort: () => number, size: number): void {
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  say('220 test');
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
      const command = line.split(' ')[0]?.toUpperCase();
      if (command === 'USER') say('331 password');
      else if (command === 'PASS') say('230 in');
      else if (command === 'PWD') say('257 "/"');
      else if (command === 'TYPE' || command === 'CWD') say('200 ok');
      else if (command === 'SIZE') say(`213 ${size}`);
      else if (command === 'EPSV') say(`229 passive (|||${dataPort()}|)`);
      else if (command === 'RETR') {
        say('150 coming');
        say('226 done');
      } else if (command === 'QUIT') {
        say('221 bye');
        socket.end();
      } else say('502 no');
    }
  });
}

async function start(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
