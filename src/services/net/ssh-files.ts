/** How ssh, scp and sftp inside a sandbox go out: through the proxy, by a script that needs nothing but bash. */
import { insideControlPath } from '../ssh/connection-folder.ts';
import { insideFile, insidePort } from './inside-places.ts';

/** For the system's own configuration of ssh, which stays as it is when there is no network. */
export const sshIncludeText = `Include ${insideFile('ssh_config')}\n`;

/**
 * Read after the user's own and so overruled by it (ssh_config(5)). Servers that are reached for the first time are
 * remembered, and a changed key is refused; nobody could type "yes". Calls of one conversation share a connection: /tmp is
 * its own, and so another conversation never finds the socket.
 */
export const sshConfigText = `Host *
  ProxyCommand ${insideFile('ssh-connect')} %h %p
  StrictHostKeyChecking accept-new
  ServerAliveInterval 30
  ServerAliveCountMax 3
  ControlMaster auto
  ControlPath ${insideControlPath}
  ControlPersist 20m
`;

/**
 * CONNECT (RFC 9110, 9.3.6) over bash's /dev/tcp. The answer's head is read byte by byte, so that nothing of the tunnel is
 * lost; from then on two \`cat\` carry bytes as they are. The refusal's text goes to standard error, where ssh shows it.
 */
export const sshConnectText = `#!/bin/bash
LC_ALL=C
host=$1
case $host in *:*) host="[$host]" ;; esac
exec 3<>/dev/tcp/127.0.0.1/${insidePort} || { echo 'ssh-connect: this sandbox has no network' >&2; exit 1; }
printf 'CONNECT %s:%s HTTP/1.1\\r\\nHost: %s:%s\\r\\n\\r\\n' "$host" "$2" "$host" "$2" >&3
IFS= read -r status <&3
while IFS= read -r line <&3; do
  [ "$line" = $'\\r' ] && break
done
case $status in
"HTTP/1.1 200"*) ;;
*) cat <&3 >&2; exit 1 ;;
esac
cat <&3 &
cat >&3
# Nothing more to send; the other side may still have something to say.
exec 3>&-
wait
`;
