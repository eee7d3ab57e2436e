// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

/// The part of forge-std that the template of Foundry uses (see Test.sol).
interface ScriptVm {
    function startBroadcast() external;
    function stopBroadcast() external;
}

abstract contract Script {
    bool public IS_SCRIPT = true;

    ScriptVm internal constant vm = ScriptVm(address(uint160(uint256(keccak256("hevm cheat code")))));
}
