// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "tronbox/console.sol";

/// Writes notes down, and says so on the console.
contract Notes {
    uint256 public count;
    address public last;

    event Noted(address indexed by, uint256 number);

    function note(uint256 number) external {
        require(number > count, "a number has to grow");
        count = number;
        last = msg.sender;
        console.log("noted", number);
        emit Noted(msg.sender, number);
    }

    function read() external view returns (uint256) {
        console.log("read by", msg.sender);
        return count;
    }

    function time() external view returns (uint256, uint256) {
        return (block.number, block.timestamp);
    }
}
