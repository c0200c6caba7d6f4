package dev.tilewright.api.platform.http;

/**
 * One thing that is wrong with a request.
 *
 * @param pointer JSON pointer into the body, or the name of a query parameter; empty for the whole body
 * @param detail the value and the rule
 */
public record Fault(String pointer, String detail) {

    /** Both, for people. */
    String line() {
        return pointer.isEmpty() ? detail : pointer + ": " + detail;
    }
}
