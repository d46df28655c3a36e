/**
 * What a build command tries in order to get out of its step; runs there as plain JavaScript. `targets.json`
 * beside it says what there is outside. It prints one JSON object: for each try a word that tells why it failed, or REACHED.
 * `looks` change nothing outside even where they succeed, so that they can be tried without a sandbox as well; `acts` would.
 */
export const ESCAPE_SCRIPT = String.raw`
const fs = require('node:fs');
const net = require('node:net');
const dgram = require('node:dgram');
const dns = require('node:dns/promises');
const { spawnSync } = require('node:child_process');
const t = JSON.parse(fs.readFileSync(__dirname + '/targets.json', 'utf8'));

const seen = (text) => (String(text).includes(t.secret) ? 'REACHED' : 'nothing');
const reading = (path) => () => { try { return seen(fs.readFileSync(path, 'latin1')); } catch (error) { return error.code; } };
const opening = (path) => () => { try { fs.closeSync(fs.openSync(path, 'r')); return 'REACHED'; } catch (error) { return error.code; } };
const listing = (path, name) => () => { try { return fs.readdirSync(path).includes(name) ? 'REACHED' : 'nothing'; } catch (error) { return error.code; } };
const writing = (path, text) => () => { try { fs.writeFileSync(path, text); return 'REACHED'; } catch (error) { return error.code; } };
const dialling = (options) => () => new Promise((done) => {
  const socket = net.connect(options);
  socket.on('connect', () => { socket.destroy(); done('REACHED'); });
  socket.on('error', (error) => done(error.code));
});
/** Runs a program; reached when it ends well, or when a check of its output says so. */
const running = (program, args, check = () => true) => () => {
  const { status, stdout, error } = spawnSync(program, args, { encoding: 'utf8', timeout: 3000 });
  if (error) return error.code;
  return status === 0 && check(stdout) ? 'REACHED' : 'status ' + status;
};
const linking = (make) => () => {
  const path = __dirname + '/way-' + Math.random();
  try { make(path); return seen(fs.readFileSync(path, 'latin1')); } catch (error) { return error.code; }
};
const processes = () => fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
const ofAny = (file) => () => processes().some((id) => { try { return fs.readFileSync('/proc/' + id + '/' + file, 'latin1').includes(t.secret); } catch { return false; } }) ? 'REACHED' : 'nothing';
const throughAny = (folder) => () => processes().some((id) => { try { return fs.readFileSync('/proc/' + id + '/' + folder + t.file, 'latin1').includes(t.secret); } catch { return false; } }) ? 'REACHED' : 'nothing';

const looks = {
  'file of the server': reading(t.file),
  'file of the server by dots': reading('/build/source/../../../../../..' + t.file),
  'file of the server by the root of a process': throughAny('root'),
  'file of the server by the folder of a process': throughAny('cwd/../../../../../../../..'),
  'file of the server by a symbolic link': linking((path) => fs.symlinkSync(t.file, path)),
  'file of the server by a hard link': linking((path) => fs.linkSync(t.file, path)),
  'file of the server by a copy': linking((path) => fs.copyFileSync(t.file, path)),
  'folder of the server': listing(t.folder, 'secret'),
  'builds of others': listing(t.builds, t.other),
  'file of another build': reading(t.otherFile),
  'file of another build by dots': reading('/build/source/../../' + t.other + '/source/secret'),
  'the project': opening(t.project + '/package.json'),
  'temporary folder of the machine': reading(t.temporary),
  'shared memory of the machine': reading(t.shared),
  'environment of any process': ofAny('environ'),
  'arguments of any process': ofAny('cmdline'),
  'maps of the server': opening('/proc/' + t.pid + '/maps'),
  'memory of the server': opening('/proc/' + t.pid + '/mem'),
  'open files of the server': opening('/proc/' + t.pid + '/fd/0'),
  'the server is in sight': () => { try { process.kill(t.pid, 0); return 'REACHED'; } catch (error) { return error.code; } },
  'priority of the server': () => { try { require('node:os').getPriority(t.pid); return 'REACHED'; } catch (error) { return error.code; } },
  'processes of the machine': () => (processes().length > 8 ? 'REACHED' : 'nothing'),
  'passwords': opening('/etc/shadow'),
  'home of root': listing('/root', '.bashrc'),
  'memory of the machine': opening('/dev/mem'),
  'core of the machine': opening('/proc/kcore'),
  'messages of the kernel': opening('/dev/kmsg'),
  'first disk': opening('/dev/vda'),
  'other disk': opening('/dev/sda'),
  'loop device': opening('/dev/loop-control'),
  'virtual machines': opening('/dev/kvm'),
  'fuse': opening('/dev/fuse'),
  'tunnels': opening('/dev/net/tun'),
  'console': opening('/dev/console'),
  'TCP of the machine': dialling({ host: '127.0.0.1', port: t.port }),
  'TCP of the machine by IPv6': dialling({ host: '::1', port: t.port }),
  'TCP of the machine by any address': dialling({ host: '0.0.0.0', port: t.port }),
  'TCP of the machine, mapped': dialling({ host: '::ffff:127.0.0.1', port: t.port }),
  ...Object.fromEntries(t.own.map((host) => ['TCP of the machine at ' + host, dialling({ host, port: t.port })])),
  'socket file of the machine': dialling({ path: t.socket }),
  'abstract socket of the machine': dialling({ path: '\0' + t.abstract }),
  'docker': dialling({ path: '/var/run/docker.sock' }),
  'containerd': dialling({ path: '/run/containerd/containerd.sock' }),
  'bus': dialling({ path: '/run/dbus/system_bus_socket' }),
  'bus of systemd': dialling({ path: '/run/systemd/private' }),
  'metadata service': dialling({ host: '169.254.169.254', port: 80 }),
  'metadata service by IPv6': dialling({ host: 'fd00:ec2::254', port: 80 }),
  'private network': dialling({ host: '10.0.0.1', port: 80 }),
  'outside': dialling({ host: '1.1.1.1', port: 443 }),
  'name server': () => dns.resolve4('example.org').then(() => 'REACHED', (error) => error.code),
  'datagram': () => new Promise((done) => {
    const socket = dgram.createSocket('udp4');
    socket.on('error', (error) => done(error.code));
    socket.send('x', 53, '1.1.1.1', (error) => { socket.close(); done(error ? error.code : 'REACHED'); });
  }),
};
const acts = {
  'ends the server': () => { try { process.kill(t.pid, 'SIGKILL'); return 'REACHED'; } catch (error) { return error.code; } },
  'becomes root': () => { try { process.setuid(0); fs.writeFileSync('/etc/escape', ''); return 'REACHED'; } catch (error) { return error.code; } },
  'programs that make one root': running('find', ['/', '-xdev', '-perm', '-4000', '-type', 'f'], (text) => text.trim() !== '' && !/NoNewPrivs:\t1/.test(fs.readFileSync('/proc/self/status', 'utf8'))),
  'capabilities': () => (/CapEff:\t0+\n/.test(fs.readFileSync('/proc/self/status', 'utf8')) ? 'none' : 'REACHED'),
  'mounts': running('mount', ['-t', 'tmpfs', 'x', '/usr']),
  'mounts over the root': running('mount', ['-o', 'remount,rw', '/']),
  'unmounts': running('umount', ['/usr']),
  'changes its root': running('chroot', ['/', 'true']),
  'makes a device': running('mknod', ['/build/source/disk', 'b', '8', '0']),
  'namespaces of the first process': running('nsenter', ['-t', '1', '-m', '-n', 'cat', t.file], (text) => text.includes(t.secret)),
  'namespaces of the server': running('nsenter', ['-t', String(t.pid), '-a', 'true']),
  'name of the machine': running('hostname', ['escaped']),
  'clock': running('date', ['-s', '2000-01-01']),
  'adds a network': running('ip', ['link', 'add', 'x', 'type', 'dummy']),
  'core pattern': writing('/proc/sys/kernel/core_pattern', '|/bin/true'),
  'module loader': writing('/proc/sys/kernel/modprobe', '/build/source/program'),
  'helper of hot plugs': writing('/sys/kernel/uevent_helper', '/build/source/program'),
  'system request': writing('/proc/sysrq-trigger', 'h'),
  'formats of programs': writing('/proc/sys/fs/binfmt_misc/register', ':x:M::MZ::/bin/true:'),
  'agent of groups': writing('/sys/fs/cgroup/release_agent', '/build/source/program'),
  'bounds of its group': writing('/sys/fs/cgroup/memory.max', 'max'),
  'group of the root': writing('/sys/fs/cgroup/cgroup.procs', String(process.pid)),
  'times of cron': writing('/etc/cron.d/escape', '* * * * * root true'),
  'programs of the machine': writing('/usr/bin/escape', ''),
  'programs of the build': writing('/opt/cannery/bin/node', ''),
  'libraries to preload': writing('/etc/ld.so.preload', '/build/source/lib.so'),
  'profile of a shell': writing('/etc/profile.d/escape.sh', ''),
  'hosts': writing('/etc/hosts', '127.0.0.1 github.com'),
  'settings of git': writing('/etc/gitconfig', '[core]'),
  'score for the killer': writing('/proc/' + t.pid + '/oom_score_adj', '1000'),
};

(async () => {
  const results = {};
  const tried = t.acts ? { ...looks, ...acts } : looks;
  for (const [name, probe] of Object.entries(tried)) {
    const silent = new Promise((done) => setTimeout(done, 2000, 'silent'));
    results[name] = await Promise.race([Promise.resolve().then(probe).catch((error) => 'threw ' + error.message), silent]);
  }
  process.stdout.write('\n' + JSON.stringify(results) + '\n', () => process.exit(0));
})();
`;
