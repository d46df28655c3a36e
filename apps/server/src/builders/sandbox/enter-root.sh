# Runs inside fresh mount, pid, ipc, uts and network namespaces, still with the rights to mount.
# Builds a small root file system from a plan on standard input, moves into it, gives all rights up and runs the command.
#
#   sh enter-root.sh ROOT IDENTITY PROCESSES FILE_BYTES OPEN_FILES MEMORY_BYTES -- COMMAND...
#
# ROOT      an empty folder; what is mounted on it is seen by this build only
# IDENTITY  uid to become, or '-' to stay what the user namespace made of us
# PROCESSES, MEMORY_BYTES  most processes of the user, and bytes of each; '-' where a control group bounds them
# Plan, one entry a line, fields parted by tabs; DIR and TARGET are absolute in the new root:
#   folders . PATH... | copies DIR SOURCE... | links DIR TEXT... (each under its last name)
#   copy SOURCE TARGET | link TEXT TARGET | ro SOURCE TARGET | rw SOURCE TARGET | tmpfs OPTIONS TARGET | env NAME=VALUE
#   machine  devices, a loopback and the processes to look at, as programs of a tenant expect them
#   input    ends the plan; what follows it on standard input is for the command, which has no input without it
set -eu
tab=$(printf '\t')
umask 022
root=$1 identity=$2 processes=$3 file_bytes=$4 open_files=$5 memory_bytes=$6
shift 7

mount -t tmpfs -o mode=0755,size=64m,nr_inodes=16k,nosuid,nodev tmpfs "$root"

# Every program that is started here delays each step of a build by a millisecond, so that they do much at a time.
all() { # runs COMMAND with the fields of LIST: all LIST COMMAND...
  fields=$1
  shift
  (IFS=$tab && set -f && exec "$@" $fields)
}

set -- /bin/sh -c 'cd /build/source && exec "$@"' step "$@"
cd "$root"
input= machine=
while IFS=$tab read -r kind first second; do
  target=$root$second
  case $kind in
    folders) all "$second" mkdir -p ;;
    copies) all "$second" cp -L -t "$root$first" ;;
    links) all "$second" ln -s -t "$root$first" ;;
    copy) cp -L "$first" "$target" ;;
    link) ln -s "$first" "$target" ;;
    # mount binds first and sets these flags in a second call, which a bind mount needs.
    ro) [ -d "$first" ] || : >"$target"; mount --rbind -o ro,nosuid,nodev "$first" "$target" ;;
    rw) mount --bind -o nosuid,nodev "$first" "$target" ;;
    tmpfs) mount -t tmpfs -o "mode=1777,$first,nosuid,nodev" tmpfs "$target" ;;
    env) set -- "$first" "$@" ;;
    machine) machine=1 ;;
    input) input=1; break ;;
  esac
done
[ -n "$input" ] || exec </dev/null

mkdir -p "$root/dev" "$root/proc" "$root/old"
device() { # device NAME: the machine's
  : >"$root/dev/$1"
  mount --bind "/dev/$1" "$root/dev/$1"
}
device null
if [ -n "$machine" ]; then
  # A new network starts with its loopback down. The way out and builds that talk to themselves want it up.
  ip link set lo up 2>/dev/null ||
    perl -e 'socket(my $s, 2, 2, 0); my $up = pack("a16 s", "lo", 0x41); ioctl($s, 0x8914, $up)' 2>/dev/null || :
  for name in zero full random urandom; do device "$name"; done
  ln -s /proc/self/fd "$root/dev/fd"
  ln -s /proc/self/fd/0 "$root/dev/stdin"
  ln -s /proc/self/fd/1 "$root/dev/stdout"
  ln -s /proc/self/fd/2 "$root/dev/stderr"
  mount -t proc -o nosuid,nodev,noexec proc "$root/proc"
  # Kernel settings belong to uid 0 of the machine, which a build may be when the console runs in a container as root.
  mount --bind "$root/proc/sys" "$root/proc/sys" && mount -o remount,bind,ro,nosuid,nodev,noexec "$root/proc/sys" || :
else
  mount -t proc -o ro,nosuid,nodev,noexec proc "$root/proc"
fi

pivot_root . old
umount -l /old
rmdir /old
mount -o remount,bind,ro,nosuid,nodev /

case $identity in
  -) set -- --keep-groups -- env -i "$@" ;;
  *) set -- --reuid "$identity" --regid "$identity" --clear-groups -- env -i "$@" ;;
esac
limits="--core=0 --fsize=$file_bytes --nofile=$open_files"
[ "$processes" = - ] || limits="$limits --nproc=$processes"
[ "$memory_bytes" = - ] || limits="$limits --data=$memory_bytes"
set -- prlimit $limits -- \
  setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all --pdeathsig KILL "$@"
# The first process of the namespace ends all others by its end, and ends itself with the one that made it. A step's program
# in its place could refuse that; this one has rights that the step has not, which keep the step from taking it over.
# Two commands, so that no shell becomes the first.
exec /bin/sh -c '"$@"; exit $?' step "$@"
