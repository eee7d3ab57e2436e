// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// Keeps coin until a time has come: reasons, custom errors, events, payments.
contract Vault {
    address public owner;
    uint256 public unlockTime;
    uint256 public total;

    event Deposited(address indexed from, uint256 amount);
    event Withdrawn(uint256 amount, uint256 when);

    error NotOwner(address caller, address owner);

    constructor(uint256 time) payable {
        require(block.timestamp < time, "unlock time is in the past");
        owner = msg.sender;
        unlockTime = time;
        total = msg.value;
    }

    function deposit() external payable {
        total += msg.value;
        emit Deposited(msg.sender, msg.value);
    }

    function withdraw() external {
        require(block.timestamp >= unlockTime, "not yet");
        if (msg.sender != owner) revert NotOwner(msg.sender, owner);
        uint256 amount = address(this).balance;
        emit Withdrawn(amount, block.timestamp);
        payable(owner).transfer(amount);
    }

    function less(uint256 amount) external view returns (uint256) {
        return total - amount;
    }

    function now_() external view returns (uint256, uint256) {
        return (block.number, block.timestamp);
    }

    function chainId() external view returns (uint256) {
        return block.chainid;
    }
}
