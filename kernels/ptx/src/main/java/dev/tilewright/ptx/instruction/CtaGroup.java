package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Spelled;

/** How many CTAs a tcgen05 instruction is for; all of a kernel say the same. PTX 9.7.16.5. */
public enum CtaGroup implements Spelled {
    ONE(1),
    /** The pair of CTAs whose ranks in the cluster differ in the last bit alone. */
    TWO(2);

    private final int ctas;

    CtaGroup(int ctas) {
        this.ctas = ctas;
    }

    public int ctas() {
        return ctas;
    }

    /** The modifier, without its dot. */
    @Override
    public String ptx() {
        return "cta_group::" + ctas;
    }
}
