package dev.tilewright.ptx.type;

/** A modifier that comes with its dot; the first constant is written as nothing. */
public interface Suffix extends Spelled {
    int ordinal();

    @Override
    default String ptx() {
        return ordinal() == 0 ? "" : "." + Spelled.super.ptx();
    }
}
