/**
 * What an install script tries from inside its step; runs there as plain JavaScript, with what it needs to know in
 * `targets.json`. It writes what came of each try: a word that tells why it failed, or REACHED.
 */
export const HOSTILE_SCRIPT = String.raw`
const { connect } = require('node:net');
const fs = require('node:fs');
const dns = require('node:dns/promises');
const dgram = require('node:dgram');
const t = JSON.parse(fs.readFileSync('/build/source/targets.json', 'utf8'));
const results = {};
const withLimit = (work) => Promise.race([work, new Promise((done) => setTimeout(done, 4000, 'silent').unref())]);

const dial = (options) => new Promise((done) => {
  const socket = connect(options);
  socket.on('connect', () => { socket.destroy(); done('REACHED'); });
  socket.on('error', (error) => done(error.code));
});
/** Says something to the proxy, and answers the status of its last answer, or what the canary said. */
const say = (text) => new Promise((done) => {
  const socket = connect(3128, '127.0.0.1');
  let answer = '';
  const end = () => done(answer.includes('canary') ? 'REACHED' : (answer.match(/HTTP\/1\.1 \d+/g) || ['closed']).at(-1));
  socket.on('data', (data) => { answer += data; if (/HTTP\/1\.1 200/.test(answer)) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'); });
  socket.on('close', end);
  socket.on('error', (error) => done(error.code));
  socket.write(text);
});
const tunnel = (target) => say('CONNECT ' + target + ' HTTP/1.1\r\nHost: ' + target + '\r\n\r\n');
const get = (address, host) => say('GET ' + address + ' HTTP/1.1\r\nHost: ' + (host || 'x') + '\r\nConnection: close\r\n\r\n');
const reading = (path) => { try { return fs.readFileSync(path, 'latin1'); } catch (error) { return error.code; } };
const writing = (path) => { try { fs.appendFileSync(path, 'x'); return 'REACHED'; } catch (error) { return error.code; } };
const seen = (text) => (t.secrets.some((secret) => text.includes(secret)) ? 'REACHED' : 'nothing');

const p = t.port;
const probes = {
  ...Object.fromEntries(['127.0.0.1', 'localhost', '::1', '::ffff:127.0.0.1', '0.0.0.0', '::', ...t.own].map((host) => ['direct ' + host, () => dial({ host, port: p })])),
  ...Object.fromEntries(['169.254.169.254', '169.254.170.2', 'fd00:ec2::254', '168.63.129.16', '10.0.0.1', '192.168.0.1', '100.100.100.200', '1.1.1.1'].map((host) => ['direct ' + host, () => dial({ host, port: 80 })])),
  'direct registry': () => dial({ host: '127.0.0.1', port: t.registryPort }),
  'direct way of another fetch': () => dial({ host: '127.0.0.1', port: t.otherPort }),
  'name server': () => dns.resolve4('example.org').then(() => 'REACHED', (error) => error.code),
  'name by the machine': () => dns.lookup('example.org').then(() => 'REACHED', (error) => error.code),
  'datagram': () => new Promise((done) => {
    const socket = dgram.createSocket('udp4');
    socket.on('error', (error) => done(error.code));
    socket.send('x', 53, '1.1.1.1', (error) => { socket.close(); done(error ? error.code : 'REACHED'); });
  }),
  'socket file of the host': () => dial({ path: t.socket }),
  'abstract socket of the host': () => dial({ path: '\0' + t.abstract }),
  'way of another build': () => dial({ path: t.otherWay }),
  'docker': () => dial({ path: '/var/run/docker.sock' }),
  'bus': () => dial({ path: '/run/dbus/system_bus_socket' }),
  ...Object.fromEntries(['127.0.0.1', 'localhost', 'LOCALHOST', 'localhost.', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '0.0.0.0', '0', '[::]', ...t.own.map((host) => (host.includes(':') ? '[' + host + ']' : host)), 'registry.npmjs.org@127.0.0.1', 'registry.npmjs.org#127.0.0.1', 'a.localhost'].map((host) => ['tunnel ' + host, () => tunnel(host + ':' + p)])),
  ...Object.fromEntries(['169.254.169.254:80', '[fd00:ec2::254]:80', 'metadata.google.internal:80', 'github.com:22', 'github.com:80', 'example.org:443', '127.0.0.1.nip.io:443', '127.0.0.1:' + t.registryPort, '%31%32%37.0.0.1:' + p, '127.0.0.1', ':' + p, ''].map((target) => ['tunnel ' + target, () => tunnel(target)])),
  'get canary': () => get('http://127.0.0.1:' + p + '/'),
  'get canary by name': () => get('http://localhost:' + p + '/'),
  'get canary as the registry': () => get('http://127.0.0.1:' + p + '/', '127.0.0.1:' + t.registryPort),
  'get canary with a user': () => get('http://127.0.0.1:' + t.registryPort + '@127.0.0.1:' + p + '/'),
  'get canary by backslash': () => get('http://127.0.0.1:' + p + '\\@127.0.0.1:' + t.registryPort + '/'),
  'get metadata': () => get('http://169.254.169.254/latest/meta-data/'),
  'get without a host': () => get('/'),
  'get https in plain': () => get('https://registry.npmjs.org/'),
  'get a file': () => get('file:///etc/passwd'),
  'get after an allowed request': () => say('GET http://127.0.0.1:' + t.registryPort + '/nothing HTTP/1.1\r\nHost: x\r\n\r\nGET http://127.0.0.1:' + p + '/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
  'get with two lengths': () => say('POST http://127.0.0.1:' + t.registryPort + '/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET http://127.0.0.1:' + p + '/ HTTP/1.1\r\nHost: x\r\n\r\n'),
  'upgrade': () => say('GET http://127.0.0.1:' + p + '/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'),
  'environment': async () => seen(JSON.stringify(process.env)),
  'environment of others': async () => seen(fs.readdirSync('/proc').filter((id) => /^\d+$/.test(id)).map((id) => reading('/proc/' + id + '/environ') + reading('/proc/' + id + '/cmdline')).join()),
  'files of the server': async () => seen(reading(t.secretFile)),
  'files of another build': async () => seen(reading(t.neighbour)),
  'files through /proc': async () => seen(reading('/proc/1/root' + t.secretFile) + reading('/proc/self/root' + t.secretFile)),
  'npmrc of the operator': async () => seen(reading('/etc/cannery/npmrc') + reading('/root/.npmrc') + reading('/etc/npmrc')),
  ...Object.fromEntries(['/opt/cannery/way', '/opt/cannery/bridge.mjs', '/opt/cannery/gitconfig', '/opt/cannery/bin/npm', '/etc/hosts', '/etc/cannery/npmrc', '/var/cache/npm/x', '/usr/bin/x', '/proc/sys/net/ipv4/ip_forward'].map((path) => ['write ' + path, async () => writing(path)])),
};
(async () => {
  await Promise.all(Object.entries(probes).map(async ([name, probe]) => { results[name] = await withLimit(probe()).catch((error) => 'failed: ' + error.message); }));
  fs.writeFileSync('/build/source/results.json', JSON.stringify(results));
  process.exit(0);
})();
`;
