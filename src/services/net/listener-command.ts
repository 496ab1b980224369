/**
 * The listener inside a sandbox: a short program opens it in the sandbox's own network namespace and hands it over to us by
 * Node's IPC channel (unix(7), SCM_RIGHTS), before anything else runs there. After that nothing of ours is inside, and
 * every connection is accepted in our process. No program of the machine is needed for it: Node does it where Perl cannot.
 */
import { insideFile, insidePort } from './inside-places.ts';

/**
 * CommonJS, since that starts faster. It ends when the channel is closed: we have the listener then, or want none; when it is
 * closed before the listener was taken, Node emits no event. A port that is taken ends it too, and there is no network.
 */
export const listenScript = `'use strict';
process.once('disconnect', () => process.exit());
setInterval(() => process.connected || process.exit(), 20);
const listener = require('net').createServer();
listener.listen(${insidePort}, '127.0.0.1', 511, () => process.send('listener', listener));
`;

/** sendmsg(2), which Perl knows only by its number. */
const sendmsgNumbers: Partial<Record<NodeJS.Architecture, number>> = { x64: 46, arm64: 211 };

/**
 * The same in Perl, which starts in a tenth of the time. Arguments: descriptor of the channel, number of sendmsg(2). The
 * structures are those of a machine with 64 bits (msghdr, iovec, cmsghdr); the socket must not block, since libuv takes it
 * as it is. Only what was handed over ends with 0.
 */
export const listenInPerl = String.raw`
my ($channel, $sendmsg) = @ARGV;
socket(my $listener, 2, 1 | 0x800, 0) or exit 1;
setsockopt($listener, 1, 2, pack('i', 1)) or exit 1;
bind($listener, pack('Sna4x8', 2, ${insidePort}, "\x7f\0\0\1")) or exit 1;
listen($listener, 511) or exit 1;
sub address { unpack('Q', pack('P', $_[0])) }
my $text = '{"cmd":"NODE_HANDLE","type":"net.Server","msg":"listener"}' . "\n";
my $vector = pack('QQ', address($text), length $text);
my $rights = pack('QiiIx4', 20, 1, 1, fileno $listener);
my $message = pack('QLx4QQQQix4', 0, 0, address($vector), 1, address($rights), length $rights, 0);
syscall($sendmsg + 0, $channel + 0, $message, 0) == length $text or exit 1;
open(my $answer, '<&=', $channel) or exit 1;
1 while sysread $answer, my $ignored, 512;
`;

/** Programs that may run before the first one: nobody inside can have replaced them. Words that need no quotes. */
export type BeforeProgram = { readonly shell: readonly string[]; readonly perl: readonly string[] | undefined };

/**
 * In a userland /etc/ssl/openssl.cnf is the commands', and can name libraries to load (config(5ssl)); so can what decides on
 * languages.
 */
export const nodeGuards = 'OPENSSL_CONF=/dev/null LC_ALL=C';

/**
 * Runs before the program and hides both descriptors from it. Single digits: a POSIX shell redirects no others.
 * The dynamic loader is named too, since a userland may have another C library, or none that Node knows.
 */
export function listenerCommand(
  wanted: {
    /** An open file: Node's program. Its path need not exist inside. */
    readonly nodeHandle: number;
    readonly channelHandle: number;
    /** The file name of our own loader among what is shown inside; undefined for a program without one. */
    readonly loader: string | undefined;
    readonly program: readonly string[];
  } & BeforeProgram,
): string[] {
  const { nodeHandle, channelHandle, loader, shell, perl, program } = wanted;
  const sendmsg = sendmsgNumbers[process.arch];
  const start = loader === undefined ? '' : `${insideFile(`lib/${loader}`)} --library-path ${insideFile('lib')} `;
  const byPerl =
    sendmsg === undefined || perl === undefined
      ? ''
      : `${perl.join(' ')} -f ${insideFile('listen.pl')} ${channelHandle} ${sendmsg} || `;
  const byNode = `NODE_CHANNEL_FD=${channelHandle} ${nodeGuards} ${start}/proc/self/fd/${nodeHandle} ${insideFile('listen.cjs')}`;
  const script = `{ ${byPerl}${byNode}; } </dev/null >/dev/null 2>&1; exec "$@" ${nodeHandle}<&- ${channelHandle}<&-`;
  return [...shell, '-c', script, 'sh', ...program];
}
