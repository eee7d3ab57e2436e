// What hardhat-tron's own end-to-end tests do: the first account of the configuration deploys, and nobody has funded it.
const { expect } = require('chai');
const { ethers, network, tre } = require('hardhat');

describe('the key that hardhat-tron has written down', () => {
  it('deploys and sends before anybody gives it coin', async () => {
    const coin = await ethers.deployContract('Coin', [10n ** 18n]);
    await coin.waitForDeployment();
    const { address } = tre.makeTronWeb();
    const owner = tre.makeTronWeb().tronWeb.address.toHex(address).replace(/^41/, '0x');
    expect(await coin.balanceOf(owner)).to.equal(10n ** 18n);
    await (await coin.transfer('0x00000000000000000000000000000000000000aa', 5n)).wait();
    expect(await coin.balanceOf(owner)).to.equal(10n ** 18n - 5n);
  });

  it('is told the chain id and the instance that upgrades are kept by', async () => {
    const metadata = await network.provider.send('hardhat_metadata', []);
    expect(metadata.chainId).to.equal(Number(await network.provider.send('eth_chainId', [])));
    expect(metadata.instanceId).to.equal(await tre.instanceId());
    expect(metadata.instanceId).to.match(/^0x[0-9a-f]{64}$/);
  });
});
