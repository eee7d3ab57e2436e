// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Counter {
    uint256 public total;

    event Added(address indexed by, uint256 amount, uint256 total);

    error NothingToAdd();

    function add(uint256 amount) external {
        if (amount == 0) revert NothingToAdd();
        total += amount;
        emit Added(msg.sender, amount, total);
    }
}
