package dev.tilewright.ptx.type;

/** {@code [name+offset]} of a kernel parameter. */
public record ParamAddress(String parameter, int offset) implements Address {
    public static ParamAddress of(String parameter) {
        return new ParamAddress(parameter, 0);
    }

    @Override
    public StateSpace space() {
        return StateSpace.PARAM;
    }
}
