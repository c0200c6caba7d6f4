package dev.tilewright.api.platform.http;

/**
 * One thing that is wrong with a request.
 *
 * @param pointer JSON pointer into the body, or the name of a query parameter
 * @param detail the value and the rule
 */
public record Fault(String pointer, String detail) {}
