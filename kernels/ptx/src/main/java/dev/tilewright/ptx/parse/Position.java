package dev.tilewright.ptx.parse;

/** Line and column in a text; both count from 1. */
public record Position(int line, int column) {
    @Override
    public String toString() {
        return line + ":" + column;
    }
}
