# Finds the Node that Handrail needs; read by bin/handrail and scripts/node.sh, never run by itself. POSIX sh only.

# Sets `node`, or returns 1. $1: the package's folder. Optional packages bring Node along, one per processor; npm may
# have put them beside us (installed elsewhere) or in our own node_modules, and links them in .bin only sometimes.
choose_node() {
  choose_node_for_processor
  if [ -n "$processor" ]; then
    folder=$1
    while :; do
      node=$folder/node_modules/node-linux-$processor/bin/node
      [ -x "$node" ] && return 0
      case $folder in
        */*) folder=${folder%/*} ;;
        *) break ;;
      esac
    done
  fi
  node=$(command -v node) && is_new_enough "$node" 24 15
}

# Sets `processor` to x64 or arm64, or to nothing where the packages' Node cannot run (another processor, no glibc).
choose_node_for_processor() {
  processor=
  # Linux 6.1 and newer say it here, which spares a process.
  { read -r machine </proc/sys/kernel/arch; } 2>/dev/null || machine=$(PATH=$PATH:/usr/bin:/bin uname -m)
  case $machine in
    x86_64) [ -e /lib64/ld-linux-x86-64.so.2 ] && processor=x64 ;;
    aarch64) [ -e /lib/ld-linux-aarch64.so.1 ] && processor=arm64 ;;
  esac
  return 0
}

# $1: a Node. $2 and $3: the oldest major and minor version that will do.
is_new_enough() {
  version=$("$1" -p 'process.versions.node' 2>/dev/null) || return 1
  major=${version%%.*}
  minor=${version#*.}
  minor=${minor%%.*}
  [ "$major" -gt "$2" ] || { [ "$major" -eq "$2" ] && [ "$minor" -ge "$3" ]; }
}
