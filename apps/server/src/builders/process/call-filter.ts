/** What a step must not ask of the kernel, by what no limit would bound otherwise. */
export type FilterKind = 'disk' | 'disk and memory';

interface Architecture {
  /** Name of the kernel for it (AUDIT_ARCH, linux/audit.h). */
  readonly audit: number;
  /** Number of prctl(2). */
  readonly prctl: number;
  /** Numbers of calls (arch/x86/entry/syscalls/syscall_64.tbl, include/uapi/asm-generic/unistd.h). */
  readonly calls: Readonly<Record<(typeof DISK | typeof MEMORY)[number], number>>;
}

/** They fill a disk faster than anybody can look: room is taken without writing. */
const DISK = ['fallocate', 'io_uring_setup'] as const;
/**
 * Memory that belongs to no process, so that no limit of a process bounds it: files without a place, shared segments,
 * queues and semaphores, and file systems in memory that a step mounts in a user namespace of its own making.
 */
const MEMORY = [
  'memfd_create',
  'memfd_secret',
  'shmget',
  'msgget',
  'semget',
  'mount',
  'fsopen',
  'bpf',
] as const;

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    prctl: 157,
    calls: {
      fallocate: 285,
      io_uring_setup: 425,
      memfd_create: 319,
      memfd_secret: 447,
      shmget: 29,
      msgget: 68,
      semget: 64,
      mount: 165,
      fsopen: 430,
      bpf: 321,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    prctl: 167,
    calls: {
      fallocate: 47,
      io_uring_setup: 425,
      memfd_create: 279,
      memfd_secret: 447,
      shmget: 194,
      msgget: 186,
      semget: 190,
      mount: 40,
      fsopen: 430,
      bpf: 280,
    },
  },
};

/** Codes of instructions (linux/bpf_common.h): load a word, compare with a constant, return. */
const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
/** Where the call's number and its architecture are (struct seccomp_data). */
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
/** Numbers from here on are those of another way to call the kernel on x64 (__X32_SYSCALL_BIT). */
const X32 = 0x4000_0000;
/** What the kernel does with a call (linux/seccomp.h): make it, or answer with an error. */
const ALLOW = 0x7fff_0000;
const ERROR = 0x0005_0000;
/** ENOSYS, by which programs learn that a kernel lacks a call; EOPNOTSUPP is what the C library takes for `fallocate`. */
const NO_SUCH_CALL = 38;
const NOT_SUPPORTED = 95;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/**
 * A filter of system calls for steps (seccomp, classic BPF), as the kernel takes it; null where this machine's calls are not known.
 * Programs of another architecture than the machine's, such as 32-bit ones, can call nothing.
 */
export function callFilter(kind: FilterKind, architecture: string = process.arch): Buffer | null {
  const known = ARCHITECTURES[architecture];
  if (known === undefined) return null;
  const denied = kind === 'disk' ? DISK : [...DISK, ...MEMORY];
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [IF_EQUAL, 1, 0, known.audit],
    [RETURN, 0, 0, ERROR | NO_SUCH_CALL],
    [LOAD, 0, 0, NUMBER_AT],
    [IF_AT_LEAST, 0, 1, X32],
    [RETURN, 0, 0, ERROR | NO_SUCH_CALL],
  ];
  for (const call of denied) {
    program.push([IF_EQUAL, 0, 1, known.calls[call]]);
    program.push([RETURN, 0, 0, ERROR | (call === 'fallocate' ? NOT_SUPPORTED : NO_SUCH_CALL)]);
  }
  program.push([RETURN, 0, 0, ALLOW]);
  const bytes = Buffer.alloc(program.length * 8);
  for (const [place, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, place * 8);
    bytes.writeUInt8(ifTrue, place * 8 + 2);
    bytes.writeUInt8(ifFalse, place * 8 + 3);
    bytes.writeUInt32LE(value, place * 8 + 4);
  }
  return bytes;
}

/** Puts a filter over itself (PR_SET_SECCOMP, mode 2) and becomes the command: perl -e TEXT PRCTL FILTER_HEX COMMAND... */
const PERL =
  'my $call = shift; my $filter = pack("H*", shift); my $program = pack("S x6 P", length($filter) / 8, $filter);' +
  'syscall($call + 0, 22, 2, $program) == 0 or die "The filter of system calls could not be set: $!\\n";' +
  'exec { $ARGV[0] } @ARGV; die "$ARGV[0]: $!\\n";';

/** The words before a command that put a filter over it, for a process that has given up new rights. */
export function filterWords(perl: string, filter: Buffer, architecture: string = process.arch): string[] {
  const prctl = ARCHITECTURES[architecture]?.prctl ?? 0;
  return [perl, '-e', PERL, String(prctl), filter.toString('hex')];
}
