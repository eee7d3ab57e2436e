require('@nomicfoundation/hardhat-ethers');
require('@nomicfoundation/hardhat-chai-matchers');
require('@openzeppelin/hardhat-tron');

module.exports = {
  solidity: { version: process.env.SOLC_VERSION, settings: { optimizer: { enabled: true, runs: 200 } } },
  tre: { compiler: { target: 'tron' } },
  defaultNetwork: 'tre',
  networks: {
    tre: {
      url: process.env.TRE_URL,
      tron: true,
      accounts: ['0xdd23ca549a97cb330b011aebb674730df8b14acaee42d211ab45692699ab8ba5'],
    },
  },
};
