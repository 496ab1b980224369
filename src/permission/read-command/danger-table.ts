/** Commands that remove files, end processes or change the machine: what the tool asks about (FEATURES E17). */
import type { OptionTable } from './read-options.ts';

/** Every operand is removed. */
export const removers: Readonly<Record<string, OptionTable>> = {
  rm: { isLenient: true },
  rmdir: { isLenient: true },
  unlink: { isLenient: true },
  shred: { values: 'ns', longValues: 'iterations size random-source', isLenient: true },
  srm: { isLenient: true },
  wipe: { values: 'lqQoSbTCR', isLenient: true },
  scrub: { values: 'bDpsx', isLenient: true },
  trash: { isLenient: true },
  'trash-put': { isLenient: true },
  'trash-rm': { isLenient: true },
  'trash-empty': { isLenient: true },
  rip: { isLenient: true },
  bleachbit: { isLenient: true },
};

/** `verb` or `verb subverb` of these removes its operands. */
export const removingVerbs: Readonly<Record<string, string>> = {
  gio: 'trash remove',
  gvfs: 'trash rm',
  kioclient5: 'remove',
  rclone: 'delete deletefile purge rmdir rmdirs cleanup sync move moveto',
  svn: 'delete del remove rm revert cleanup',
  hg: 'remove rm purge revert strip rollback',
  btrfs: 'subvolume',
  zfs: 'destroy rollback',
  docker: 'rm rmi prune',
  podman: 'rm rmi prune',
};

export const killers = new Set('kill pkill killall killall5 xkill skill slay'.split(' '));

/** These end processes by a verb of theirs. */
export const killingVerbs: Readonly<Record<string, string>> = {
  tmux: 'kill-server kill-session kill-window kill-pane',
  docker: 'kill stop pause restart down',
  podman: 'kill stop pause restart down',
  pm2: 'kill stop delete restart',
  supervisorctl: 'stop restart shutdown signal',
  systemctl: 'stop kill restart try-restart reload-or-restart isolate',
  machinectl: 'terminate kill poweroff',
  loginctl: 'terminate-session terminate-user terminate-seat kill-session kill-user',
  virsh: 'destroy shutdown undefine',
  i3: 'kill',
};

/** Whatever their arguments, they change the machine or use rights that only its owner has. */
export const systemCommands = new Set(
  (
    'sudo doas su pkexec run0 runuser mount umount fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard mkswap swapon swapoff ' +
    'shutdown reboot poweroff halt init telinit useradd userdel usermod adduser deluser groupadd groupdel groupmod addgroup delgroup ' +
    'passwd chpasswd chage chsh chfn gpasswd vipw vigr visudo iptables-restore ip6tables-restore ufw firewall-cmd at batch ' +
    'insmod rmmod modprobe depmod kexec grub-install update-grub grub-mkconfig update-initramfs dracut mkinitcpio efibootmgr setenforce ' +
    'semanage setsebool restorecon aa-enforce aa-disable aa-complain cryptsetup dmsetup lvremove vgremove pvremove lvcreate vgcreate ' +
    'pvcreate lvresize lvreduce lvextend resize2fs tune2fs e2fsck fsck debugfs badblocks hdparm nvme mdadm zpool losetup pivot_root ' +
    'switch_root chroot nsenter systemd-run systemd-nspawn insserv update-rc.d chkconfig rc-update rc-service dpkg-reconfigure ' +
    'dpkg-divert update-alternatives chvt setcap setfattr quotaon quotaoff rtcwake ntpdate hwclock newusers pwconv grpconv ' +
    'authconfig pam-auth-update ldconfig telinit wall mknod usb_modeswitch tailscale wg-quick'
  ).split(' '),
);

export const systemNames = /^(?:mkfs(?:\..+)?|fsck\..+|mke2fs|mkdosfs|mkntfs)$/;

/** These only look when their first operand is one of the words; anything else changes something. */
export const lookingVerbs: Readonly<Record<string, string>> = {
  systemctl:
    'status show cat help list-units list-unit-files list-timers list-sockets list-jobs list-dependencies list-machines is-active is-enabled is-failed is-system-running get-default show-environment',
  service: '--status-all',
  apt: 'list search show policy depends rdepends help moo showsrc download changelog',
  'apt-get': 'check changelog download indextargets help',
  'apt-mark': 'showauto showmanual showhold showinstall showremove',
  aptitude: 'search show versions why why-not help',
  dnf: 'list search info repolist provides repoquery check-update history help',
  yum: 'list search info repolist provides check-update history help',
  zypper: 'search se info if list-updates lu repos lr packages help',
  apk: 'info search list policy version stats dot audit',
  snap: 'list find info version connections interfaces services changes help',
  flatpak: 'list search info remote-ls remotes history ps',
  sysctl: '',
  loginctl: 'list-sessions list-users list-seats session-status user-status show-session show-user',
  hostnamectl: 'status',
  timedatectl: 'status show list-timezones timesync-status',
  localectl: 'status list-locales list-keymaps',
  networkctl: 'status list lldp',
  resolvectl: 'status query statistics',
  nmcli: 'general g device dev d connection c con monitor',
  brew: 'list search info help config doctor',
};

/** Without an operand they only look. */
export const lookWithoutOperands = new Set(
  'systemctl sysctl hostname domainname date dmesg service snap flatpak loginctl hostnamectl timedatectl localectl networkctl resolvectl nmcli brew'.split(
    ' ',
  ),
);

/** Option letters that only look. */
export const lookingOptions: Readonly<Record<string, RegExp>> = {
  pacman: /^-(?:Q\w*|S[sigl]+|F\w*|V|h|T)$|^--(?:query|version|help)$/,
  rpm: /^-(?:q\w*|V\w*)$|^--(?:query|verify|version|showrc|checksig)/,
  dpkg: /^-(?:l|L|s|S|p|c|I|C|V)$|^--(?:list|listfiles|status|search|print-avail|contents|info|version|help|compare-versions|print-architecture|get-selections|audit|verify|field)$/,
  crontab: /^-l$/,
  sysctl: /^(?:-a|-A|-X|-n|-N|-e|-b|--all|--values|--names)$/,
  iptables: /^(?:-[LSV]\w*|--list\S*|--version)$/,
  ip6tables: /^(?:-[LSV]\w*|--list\S*|--version)$/,
  nft: /^(?:list|-c|--check|--version)$/,
  swapon: /^(?:-s|--show\S*|--summary)$/,
  losetup: /^(?:-a|--all|-l|--list)$/,
  mount: /^(?:-l|-V|--version|-h|--help)$/,
  fdisk: /^(?:-l\w*|--list)$/,
  parted: /^(?:-l|--list)$/,
};

/** They write to their operands: all of them, or the last one. */
export const writers: Readonly<Record<string, 'all' | 'last'>> = {
  tee: 'all',
  sponge: 'all',
  touch: 'all',
  mkdir: 'all',
  truncate: 'all',
  chmod: 'all',
  chown: 'all',
  chgrp: 'all',
  chattr: 'all',
  setfacl: 'all',
  cp: 'last',
  mv: 'all',
  install: 'last',
  ln: 'last',
  rsync: 'last',
  patch: 'all',
  rm: 'all',
  rmdir: 'all',
  unlink: 'all',
  shred: 'all',
};
