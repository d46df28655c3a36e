# Runs inside fresh mount, pid, ipc, uts and network namespaces, still with the rights to mount.
# Builds a small root file system from a plan on standard input, moves into it, gives all rights up and runs the command.
#
#   sh enter-root.sh ROOT IDENTITY PROCESSES FILE_BYTES OPEN_FILES -- COMMAND...
#
# ROOT      an empty folder; what is mounted on it is seen by this build only
# IDENTITY  uid to become, or '-' to stay what the user namespace made of us
# Plan, one entry a line, fields parted by tabs:
#   ro SOURCE TARGET | rw SOURCE TARGET | copy SOURCE TARGET | link TEXT TARGET | tmpfs SIZE TARGET | env NAME=VALUE
set -eu
umask 022
root=$1 identity=$2 processes=$3 file_bytes=$4 open_files=$5
shift 6

mount -t tmpfs -o mode=0755,size=64m,nosuid,nodev tmpfs "$root"

place() { # makes the mount point TARGET of the kind that SOURCE is
  if [ -d "$1" ]; then mkdir -p "$2"; else mkdir -p "$(dirname "$2")"; : >"$2"; fi
}

set -- /bin/sh -c 'cd /build/source && exec "$@"' step "$@"
tab=$(printf '\t')
while IFS=$tab read -r kind first second; do
  target=$root$second
  case $kind in
    # A bind mount takes read-only in a second step; nosuid and nodev must be repeated or the kernel refuses it.
    ro) place "$first" "$target"; mount --rbind "$first" "$target"; mount -o remount,bind,ro,nosuid,nodev "$target" ;;
    rw) place "$first" "$target"; mount --bind "$first" "$target"; mount -o remount,bind,nosuid,nodev "$target" ;;
    copy) mkdir -p "$(dirname "$target")"; cp -L "$first" "$target" ;;
    link) mkdir -p "$(dirname "$target")"; ln -s "$first" "$target" ;;
    tmpfs) mkdir -p "$target"; mount -t tmpfs -o "mode=1777,size=$first,nosuid,nodev" tmpfs "$target" ;;
    env) set -- "$first" "$@" ;;
  esac
done
exec </dev/null

# A new network starts with its loopback down. The way out and builds that talk to themselves want it up.
ip link set lo up 2>/dev/null ||
  perl -e 'socket(my $s, 2, 2, 0); my $up = pack("a16 s", "lo", 0x41); ioctl($s, 0x8914, $up)' 2>/dev/null || :

mkdir -p "$root/dev" "$root/proc" "$root/old"
for device in null zero full random urandom; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
ln -s /proc/self/fd "$root/dev/fd"
ln -s /proc/self/fd/0 "$root/dev/stdin"
ln -s /proc/self/fd/1 "$root/dev/stdout"
ln -s /proc/self/fd/2 "$root/dev/stderr"
mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
# Kernel settings belong to uid 0 of the machine, which a build may be when the console runs in a container as root.
mount --bind "$root/proc/sys" "$root/proc/sys" && mount -o remount,bind,ro,nosuid,nodev,noexec "$root/proc/sys" || :

cd "$root"
pivot_root . old
umount -l /old
rmdir /old
mount -o remount,bind,ro,nosuid,nodev /

case $identity in
  -) set -- --keep-groups -- env -i "$@" ;;
  *) set -- --reuid "$identity" --regid "$identity" --clear-groups -- env -i "$@" ;;
esac
exec prlimit --core=0 --nproc="$processes" --fsize="$file_bytes" --nofile="$open_files" -- \
  setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all --pdeathsig KILL "$@"
