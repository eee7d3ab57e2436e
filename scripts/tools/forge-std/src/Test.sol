// SPDX-License-Identifier: MIT
pragma solidity >=0.8.0;

/// The part of forge-std that the templates of Foundry and Hardhat use. forge-std comes from GitHub; no registry has its
/// present version.
interface TestVm {
    function assertEq(uint256 left, uint256 right) external pure;
    function expectRevert() external;
}

abstract contract Test {
    bool public IS_TEST = true;

    TestVm internal constant vm = TestVm(address(uint160(uint256(keccak256("hevm cheat code")))));

    function assertEq(uint256 left, uint256 right) internal pure {
        vm.assertEq(left, right);
    }
}
