package dev.tilewright.ptx.type;

/** A branch target: the name of a position in the code of one entry. */
public record Label(String name) {
    public Label {
        if (!name.matches("[A-Za-z_$][A-Za-z0-9_$]*")) {
            throw new IllegalArgumentException("label: not a PTX identifier: '" + name + "'");
        }
    }
}
