/** Contracts that call, create, pay, fail and burn Energy: for traces. */
export const TRACED_CONTRACTS = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Inner {
  uint256 public kept = 7;
  error Refused(uint256 given);
  event Kept(uint256 value);
  function keep(uint256 value) external payable returns (uint256) {
    if (value == 13) revert("unlucky");
    if (value == 14) revert Refused(value);
    kept = value;
    emit Kept(value);
    return value + 1;
  }
}
contract Outer {
  Inner public inner;
  uint256 public tries;
  constructor() { inner = new Inner(); }
  function pass(uint256 value) external payable returns (uint256) {
    tries += 1;
    return inner.keep{value: msg.value}(value);
  }
  function attempt(uint256 value) external returns (bool) {
    try inner.keep(value) { return true; } catch { return false; }
  }
  function hash(bytes calldata data) external pure returns (bytes32) { return sha256(data); }
  function pay(address payable to) external payable { to.transfer(msg.value); }
  function spin() external { for (uint256 i = 0; i < 100000; i++) tries += i; }
}`;
