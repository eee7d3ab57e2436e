const fullHost = process.env.SUNUP_URL ?? 'http://127.0.0.1:9090';
// Account 0 of a node that was started with --tre.
const privateKey = 'dd23ca549a97cb330b011aebb674730df8b14acaee42d211ab45692699ab8ba5';

module.exports = {
  networks: {
    development: { fullHost, privateKey, feeLimit: 1_000_000_000, network_id: '*' },
  },
  compilers: { solc: { version: '0.8.29' } },
};
