const Notes = artifacts.require('./Notes.sol');

module.exports = (deployer) => {
  deployer.deploy(Notes);
};
