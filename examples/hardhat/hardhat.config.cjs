require('@nomicfoundation/hardhat-ethers');
require('@nomicfoundation/hardhat-chai-matchers');
require('@openzeppelin/hardhat-tron');

const node = process.env.SUNUP_URL ?? 'http://127.0.0.1:9090';

module.exports = {
  solidity: { version: '0.8.29', settings: { optimizer: { enabled: true, runs: 200 } } },
  tre: { compiler: { target: 'tron' } },
  defaultNetwork: 'tre',
  networks: {
    tre: {
      url: `${node}/jsonrpc`,
      tron: true,
      accounts: ['0xdd23ca549a97cb330b011aebb674730df8b14acaee42d211ab45692699ab8ba5'],
    },
  },
};
