package dev.tilewright.ptx.parse;

/**
 * A comment that has its line to itself.
 *
 * @param before index of the token that follows it
 * @param text all behind the two slashes
 */
record Remark(int before, String text, Position at) {}
